/// The package's own `Kits` folder.
package let kitsFolder: String = {
  var parts = #filePath.split(separator: "/").dropLast(4).map(String.init)
  parts.append("Kits")
  return "/" + parts.joined(separator: "/")
}()
