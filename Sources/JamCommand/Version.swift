/// This program's version: what `--version`, the log and exported files say.
public enum Version {
  public static let text = "0.2.0"
}
