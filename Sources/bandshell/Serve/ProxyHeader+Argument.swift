public import ArgumentParser
public import JamWeb

extension TrustedProxies.Header: ExpressibleByArgument {}
