// Starts `maxout debug --dap` for VS Code, and shows the console's picture beside the code.
"use strict";

const vscode = require("vscode");

/** How often the picture is asked for, in milliseconds. */
const REFRESH = 100;

/** The panel with the picture, if it is open. */
let panel;

function settings() {
  return vscode.workspace.getConfiguration("maxout");
}

/** The panel's page. It shows each picture that is sent to it. */
function page() {
  return `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none';
    img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"></head>
    <body style="margin:0;background:#000">
    <img id="picture" alt="The picture of the console" style="width:100%;image-rendering:pixelated">
    <script>addEventListener("message", (event) => { document.getElementById("picture").src = event.data; });</script></body></html>`;
}

function open() {
  if (panel) {
    panel.reveal(undefined, true);
    return;
  }
  const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  panel = vscode.window.createWebviewPanel("maxout.picture", "NES", column, { enableScripts: true });
  panel.webview.html = page();
  panel.onDidDispose(() => {
    panel = undefined;
  });
}

/** Asks a session for its picture until it ends. */
function follow(session) {
  let asked = false;
  const timer = setInterval(async () => {
    if (asked || !panel || !panel.visible) {
      return;
    }
    asked = true;
    try {
      const picture = await session.customRequest("picture");
      if (panel) {
        panel.webview.postMessage(`data:${picture.type};base64,${picture.data}`);
      }
    } catch {
      // The program has not begun, or has ended.
    }
    asked = false;
  }, REFRESH);
  return timer;
}

function activate(context) {
  const timers = new Map();
  const type = "maxout";
  context.subscriptions.push(
    vscode.commands.registerCommand("maxout.picture", open),
    vscode.debug.registerDebugAdapterDescriptorFactory(type, {
      createDebugAdapterDescriptor(session) {
        const folder = session.workspaceFolder && session.workspaceFolder.uri.fsPath;
        const options = folder ? { cwd: folder } : undefined;
        return new vscode.DebugAdapterExecutable(settings().get("program"), ["debug", "--dap"], options);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider(type, {
      // F5 without a launch.json.
      resolveDebugConfiguration(folder, configuration) {
        if (!configuration.type) {
          Object.assign(configuration, { type, request: "launch", name: "NES", stopOnEntry: true });
        }
        return { realTime: true, ...configuration };
      },
    }),
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.type === type) {
        if (settings().get("showPicture")) {
          open();
        }
        timers.set(session.id, follow(session));
      }
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      clearInterval(timers.get(session.id));
      timers.delete(session.id);
    }),
    { dispose: () => timers.forEach((timer) => clearInterval(timer)) },
  );
}

module.exports = { activate };
