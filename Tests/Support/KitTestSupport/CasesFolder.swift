/// The package's own `Tests/Cases`: small inputs, each of which says by its name what it holds.
package let casesFolder: String = {
  let parts = #filePath.split(separator: "/").dropLast(3).map(String.init)
  return "/" + parts.joined(separator: "/") + "/Cases"
}()
