extension KitFolder {
  /// The package that the kit's sounds come from; nil where the kit carries its sounds. Thread:
  /// any; reads a file.
  public var pack: KitPack? { readDescription().pack }

  /// The reason why the kit's package keeps it from playing: the package is not installed, or lacks
  /// a file that the kit names. Thread: any; reads a file, and looks at names.
  public var packProblem: KitError? {
    let description = readDescription()
    return SoundSource(self, description.pack).problem(with: description)
  }
}
