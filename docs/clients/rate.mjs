// Prints the tetris rate after each piece: node rate.mjs [ADDRESS]. Node 18 or newer, no packages.

const address = process.argv[2] ?? "http://127.0.0.1:5050";
const { body } = await fetch(`${address}/events?only=statistics,end`);
let text = "";
for await (const part of body.pipeThrough(new TextDecoderStream())) {
  const lines = (text + part).split("\n");
  text = lines.pop();
  for (const line of lines.filter((line) => line.startsWith("data: "))) {
    const event = JSON.parse(line.slice("data: ".length));
    if (event.event === "end") process.exit();
    if (event.event === "statistics" && event.tetris_rate !== null) {
      console.log(`player ${event.player}, piece ${event.pieces}: ${event.tetris_rate.toFixed(0)} %`);
    }
  }
}
