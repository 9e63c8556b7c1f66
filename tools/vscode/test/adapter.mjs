// Starts the adapter as the extension does: `maxout debug --dap`. VS Code's own test client starts
// one file and hands it no arguments.
import { spawn } from "node:child_process";

const adapter = spawn(process.env.MAXOUT, ["debug", "--dap"], { stdio: "inherit" });
adapter.on("exit", (code) => process.exit(code ?? 1));
process.on("SIGTERM", () => adapter.kill());
