import BautaCommands

BautaCommands.main()
