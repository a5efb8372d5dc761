// What the server refuses is told in the protocol's words; here it is told in the page's.

const SAYINGS = [
  [/wants a password|not the password/, () => "This room has a password."],
  [/^that is not the host word/, () => "That is not the host word. The server printed it when it started."],
  [/^too many words/, () => "Too many wrong words came from here. Wait a few seconds, then try again."],
  [/^a listener hears/, () => "You are here to listen. Under Room, People, you choose to play."],
  [/^pad (\d+)(?: of kit \S+)? is empty/, (pad) => `Pad ${pad} is empty. Sounds for it are under Kits.`],
  [/^the pad is empty/, () => "The pad is empty. Sounds for it are under Kits."],
  [/^there is nothing to undo/, () => "There is nothing to undo: you have changed nothing, or taken it all back."],
  [/^there is nothing to do again/, () => "There is nothing to redo."],
  [/^this server has no input/, () => "This server has no input to record from."],
  [/^a host has locked (\w+)/, (what) => `A host has locked the ${what}.`],
  [/^only a host may (.*?)(?:[:;]|$)/, (what) => `Only a host may ${what}. The host word makes you one, under Room, People.`],
  [/^only a host may change it/, () => "Only a host may change that for somebody else."],
  [/hears your cue|nothing that is open carries it/, () => "Turn the sound on first: it is heard on this device alone."],
  [/^the transport stands still/, () => "The beat stands still: press Play first."],
  [/^lane (\d+) is empty/, (lane) => `Lane ${lane} is empty: drag a block onto it.`],
  [/^your loop (?:is empty|has nothing)/, () => "Your loop is empty: Record takes down what you hit."],
  [/^there is no layer/, () => "That layer is gone."],
  [/^there is no build-up/, () => "There is no build-up."],
  [/^(“.*”) (?:belongs to (.*?), who|is ready-made)/, (block, owner) => `${block} ${owner ? `belongs to ${owner}` : "is ready-made"}: Copy makes one of your own.`],
  [/^(“.*”) is yours already/, (block) => `${block} is yours already: choose another name.`],
  [/^the room keeps (\d+) blocks/, (count) => `The room keeps ${count} blocks at most: delete one first.`],
];

// An address or an option, or what only programs write.
const FOREIGN = /(?:^|[\s(])(?:\/[a-z<]|--[a-z])|[A-Z]+=/;

/// A refusal of the server's in the words of the page: no addresses, no options.
export function words(reason) {
  for (const [pattern, say] of SAYINGS) {
    const found = reason.match(pattern);
    if (found) return say(...found.slice(1));
  }
  // Advice for programs stands behind the first colon or semicolon, where it was refused in brackets at the end.
  const parts = reason.replace(/ \(\/[^)]*\)$/, "").split(/(?=[:;] )/);
  const end = parts.findIndex((part) => FOREIGN.test(part));
  const plain = (end < 0 ? parts : parts.slice(0, end)).join("");
  return plain ? `${plain[0].toUpperCase()}${plain.slice(1).replace(/\.$/, "")}.` : "That did not work.";
}
