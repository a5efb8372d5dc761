extension KitFolder {
  /// The package that the kit's sounds come from; nil of a kit that carries them. Thread: any; reads a file.
  public var pack: KitPack? { readDescription().pack }

  /// What keeps the kit from playing, as far as its package goes: that is not installed, or lacks a file
  /// that the kit names. Thread: any; reads a file, and looks at names.
  public var packProblem: KitError? {
    let description = readDescription()
    return SoundSource(self, description.pack).problem(with: description)
  }
}
