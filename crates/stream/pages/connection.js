// The stream over WebSocket. It comes back by itself when either side restarts.

const EVENTS = "hello,match,state,statistics,seek,end";
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5_000;

/**
 * Follows the stream of this page's server.
 * @param {URLSearchParams} options of the page; `token` is handed on
 * @param {(line: object) => void} take is called with every line
 * @param {(connected: boolean) => void} status is called when a connection opens or is lost
 */
export function connect(options, take, status) {
  let wait = FIRST_WAIT;
  const open = () => {
    const address = new URL("ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.search = `?states=1&only=${EVENTS}`;
    const token = options.get("token");
    if (token) address.search += `&token=${encodeURIComponent(token)}`;
    const socket = new WebSocket(address);
    socket.onopen = () => {
      wait = FIRST_WAIT;
      status(true);
    };
    socket.onmessage = ({ data }) => take(JSON.parse(data));
    socket.onclose = () => {
      status(false);
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  };
  open();
}
