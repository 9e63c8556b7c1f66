// The debugger for editors, driven by VS Code's own test client
// (@vscode/debugadapter-testsupport): `cargo xtask vscode --test`.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";

const require = createRequire(join(process.env.MAXOUT_PACKAGES, "package.json"));
const { DebugClient } = require("@vscode/debugadapter-testsupport");

// The program in C, as its linker leaves it.
const folder = mkdtempSync(join(tmpdir(), "maxout-dap-"));
for (const ending of ["nes", "dbg"]) {
  copyFileSync(join(process.env.MAXOUT_ROMS, `homebrew.${ending}`), join(folder, `game.${ending}`));
}
for (const name of readdirSync(join(process.env.MAXOUT_ROMS, "homebrew"))) {
  copyFileSync(join(process.env.MAXOUT_ROMS, "homebrew", name), join(folder, name));
}
after(() => rmSync(folder, { recursive: true }));

const game = { rom: join(folder, "game.nes") };
const path = (name) => join(folder, name);
const adapter = join(import.meta.dirname, "adapter.mjs");
/** @type {any} */
let client;

beforeEach(async () => {
  client = new DebugClient("node", adapter, "maxout");
  client.defaultTimeout = 60_000;
  await client.start();
});

afterEach(() => client.stop());

/** Launches the game with breakpoints, and waits for the first stop. */
const launched = async (breakpoints, file = "score.c") => {
  await Promise.all([
    client.waitForEvent("initialized").then(async () => {
      const set = await client.setBreakpointsRequest({ source: { path: path(file) }, breakpoints });
      assert.ok(set.body.breakpoints.every((breakpoint) => breakpoint.verified), JSON.stringify(set.body));
      await client.configurationDoneRequest();
    }),
    client.launch(game),
    client.waitForEvent("stopped"),
  ]);
};

/** Asks for a step, and returns the top of the stack where it stops. */
const stepped = async (request) => {
  await Promise.all([client.waitForEvent("stopped"), client[request]({ threadId: 1 })]);
  return top();
};

const top = async () => {
  const { stackFrames } = (await client.stackTraceRequest({ threadId: 1 })).body;
  return stackFrames[0];
};

test("it says what it can do, back in time included", async () => {
  const { body } = await client.initializeRequest();
  for (const what of ["supportsStepBack", "supportsDisassembleRequest", "supportsReadMemoryRequest"]) {
    assert.equal(body[what], true, what);
  }
});

test("a breakpoint of a line stops where the client says, in its file", async () => {
  await client.hitBreakpoint(game, { path: path("score.c"), line: 18 });
  const frame = await top();
  assert.equal(frame.name, "add_points");
  assert.equal(frame.source.path, path("score.c"));
});

test("steps go into functions, out of them, and back line by line", async () => {
  await launched([{ line: 18 }]);
  assert.equal((await stepped("stepInRequest")).line, 10);
  assert.equal((await top()).name, "doubled");
  assert.equal((await stepped("stepOutRequest")).line, 18);
  assert.equal((await stepped("nextRequest")).line, 17);
  assert.equal((await stepped("stepBackRequest")).line, 18);
});

test("variables of C are shown, and those that a condition names decide", async () => {
  await launched([{ line: 17, condition: "score >= 6" }], "main.c");
  const frame = await top();
  const { scopes } = (await client.scopesRequest({ frameId: frame.id })).body;
  const names = [];
  for (const scope of scopes) {
    const { variables } = (await client.variablesRequest(scope)).body;
    names.push(...variables.map((variable) => variable.name));
  }
  assert.ok(names.includes("speed") && names.includes("score"), names.join(" "));
  const asked = await client.evaluateRequest({ expression: "score", frameId: frame.id, context: "watch" });
  assert.match(asked.body.result, /^6\b/u);
});

test("it runs on to the next stop, and back to the last", async () => {
  await launched([{ line: 18 }]);
  const cycle = async () =>
    (await client.evaluateRequest({ expression: "cycle", context: "watch" })).body.result;
  const first = await cycle();
  await stepped("continueRequest");
  const second = await cycle();
  assert.notEqual(first, second);
  await stepped("reverseContinueRequest");
  assert.equal(await cycle(), first);
});

test("instructions and memory are what the machine has", async () => {
  await launched([{ line: 18 }]);
  const frame = await top();
  const shown = await client.disassembleRequest({
    memoryReference: frame.instructionPointerReference,
    instructionCount: 3,
  });
  assert.equal(shown.body.instructions.length, 3);
  const memory = await client.customRequest("readMemory", { memoryReference: "0x0000", count: 4 });
  assert.equal(Buffer.from(memory.body.data, "base64").length, 4);
});

test("what cannot be launched is refused in words", async () => {
  await client.initializeRequest();
  await assert.rejects(client.launchRequest({ rom: path("none.nes") }), /none\.nes/u);
});
