// JamKit
