/// Symbols before labels and on buttons, as code points of the font Font Awesome 4.7. Without that font, labels stand alone.
package enum Icon: UInt32, Sendable {
    case search = 0xF002
    case star = 0xF005
    case smile = 0xF118
    case users = 0xF0C0
    case hand = 0xF256
    case camera = 0xF030
    case videoCamera = 0xF03D
    case microphone = 0xF130
    case broadcast = 0xF012
    case picture = 0xF03E
    case record = 0xF111
    case stop = 0xF04D
    case folder = 0xF114
    case keyboard = 0xF11C
    case chart = 0xF080
    case gear = 0xF013
    case install = 0xF019
    case save = 0xF0C7
    case saveAs = 0xF0C5
    case undo = 0xF0E2
    case redo = 0xF01E
    case plus = 0xF067
    case up = 0xF062
    case down = 0xF063
    case copy = 0xF24D
    case group = 0xF247
    case ungroup = 0xF248
    case remove = 0xF014
    case reset = 0xF021
    case check = 0xF00C
    case brush = 0xF1FC
    case help = 0xF059
    case fullScreen = 0xF065
    case quit = 0xF011
}
