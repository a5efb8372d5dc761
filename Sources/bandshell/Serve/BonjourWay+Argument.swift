import ArgumentParser
package import JamBonjour

extension BonjourWay: ExpressibleByArgument {}
