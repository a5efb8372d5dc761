package import JamCore
package import JamServer
package import JamWeb
import JamWire

/// The projects, for the web server.
extension ServerProjects: WebProjects {
  package func list(then call: @escaping @Sendable ([ProjectItem]) -> Void) {
    let isTaken = inBackground { [self] in call((try? items()) ?? []) }
    if !isTaken { call([]) }
  }

  package func file(
    of name: String, version: Int?, then call: @escaping @Sendable (Result<ProjectDownload, ProjectProblem>) -> Void
  ) {
    let isTaken = inBackground { [self] in
      do throws(FileProblem) {
        let file = try file(of: name, version: version)
        call(.success(ProjectDownload(name: file.name, bytes: file.bytes)))
      } catch {
        call(.failure(ServerProjects.problem(error, name)))
      }
    }
    if !isTaken { call(.failure(ServerProjects.busy)) }
  }

  package func bring(
    _ bytes: [UInt8], named name: String, from sender: String,
    then call: @escaping @Sendable (Result<ProjectUpload, ProjectProblem>) -> Void
  ) {
    guard maySave(by: sender) else {
      return call(.failure(ProjectProblem(.tooMuch, ServerProjects.tooFast)))
    }
    bring(bytes, named: name, from: sender) { (result: Result<BroughtProject, FileProblem>) in
      call(
        result.map {
          ProjectUpload(
            name: $0.name, unneededKits: $0.unneededKits, unneededSounds: $0.unneededSounds)
        }.mapError { ServerProjects.problem($0, name) })
    }
  }

  private static let busy = ProjectProblem(.busy, "the server has much to write just now: try again in a moment")

  private static func problem(_ error: FileProblem, _ name: String) -> ProjectProblem {
    switch error {
    case .noSuchProject: ProjectProblem(.notThere, .noSuchProject(name))
    case .unusable(let text): ProjectProblem(.unusable, text)
    case .noSpace(let text): ProjectProblem(.noSpace, text)
    case .tooMuch(let text, let seconds):
      ProjectProblem(.tooMuch, .savedTooMuch(text), seconds: seconds)
    case .busy(let text, let seconds): ProjectProblem(.busy, text, seconds: seconds)
    case .refused(let refusal):
      switch refusal {
      case .noSuchProjectVersion: ProjectProblem(.notThere, refusal)
      case .projectNameTaken: ProjectProblem(.taken, refusal)
      case .projectsFull, .projectNotSaved: ProjectProblem(.noSpace, refusal)
      default: ProjectProblem(.unusable, refusal)
      }
    }
  }
}
