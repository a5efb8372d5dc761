extension KitFolder {
  /// The package that the kit's sounds come from; nil of a kit that carries them. Thread: any; reads a file.
  public var pack: KitPack? { readDescription().pack }
}
