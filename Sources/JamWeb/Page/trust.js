// The page about trusting the server's own certificate authority, if the server has one.

import { at, say } from "./dom.js";

const secure = new URL("/", location.href);
secure.protocol = "https:";
at("secure").href = secure.href;

const answer = await fetch("/authority.crt", { method: "HEAD" }).catch(() => null);
if (answer?.ok) say(at("state"), location.protocol === "https:" ? "This page came over a secure connection." : "");
else say(at("state"), "This server has no certificate of its own. Whoever runs it can start it with --tls auto.");
