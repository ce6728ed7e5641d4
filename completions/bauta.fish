# Completions of bauta for fish 3 and later. The words come from the program itself ("bauta complete"), so they are always
# those of the installed version.

function __bauta_complete
    set -l before (commandline -opc)
    set -l program (string replace -r '^~/' "$HOME/" -- $before[1])
    set -e before[1]
    set -l typed (commandline -ct)
    set -l last (string unescape -- "$typed")
    # A quote that is still open.
    or set last (string trim -l -c '"\'' -- "$typed")
    $program complete -- $before "$last" 2>/dev/null | while read -l line
        set -l kind (string sub -l 1 -- $line)
        set -l rest (string sub -s 2 -- $line)
        if test $kind = w
            echo $rest
            continue
        end
        set -l fields (string split \t -- $rest)
        set -l endings (string split -n ' ' -- $fields[1])
        # Fish expands ~ in what is typed, but not in what is quoted.
        set -l path (string escape -- "$fields[3]")
        test -z "$fields[2]"; and set path $typed
        for candidate in (complete -C "'' $path")
            set -l file (string split -m 1 \t -- $candidate)[1]
            if not string match -q '*/' -- $file
                test $kind = f; or continue
                set -l ending (string lower -- (string split -r -m 1 . -- $file)[-1])
                test -z "$endings"; or contains -- $ending $endings; or continue
            end
            echo $fields[2]$file
        end
    end
end

complete -c bauta -e
complete -c bauta -f -a '(__bauta_complete)'
