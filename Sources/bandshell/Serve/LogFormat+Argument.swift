import ArgumentParser
package import JamServer

extension LogFormat: ExpressibleByArgument {}
