//! The router of a home network is asked to let another player in (`UPnP` Internet Gateway Device).

use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time::Duration;

use igd_next::{Gateway, PortMappingProtocol, SearchOptions, search_gateway};

/// Seconds after which a router forgets what it was asked for: a match lasts no longer than this.
const LEASE: u32 = 4 * 60 * 60;
/// What routers show beside the port.
const NAME: &str = "Maxout";

/// How a router is looked for.
#[derive(Clone, Copy, Debug)]
pub struct GatewayOptions {
    /// Where routers listen; those of a home network at 239.255.255.250:1900.
    pub search: SocketAddr,
    /// The address of this computer to ask from.
    pub own: SocketAddr,
    /// How long an answer is waited for.
    pub patience: Duration,
}

impl Default for GatewayOptions {
    fn default() -> Self {
        Self {
            search: SocketAddr::from(([239, 255, 255, 250], 1_900)),
            own: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
            patience: Duration::from_secs(2),
        }
    }
}

/// Why the router has opened no port.
#[derive(Debug, thiserror::Error)]
pub enum NoPort {
    /// No router answers.
    #[error("no router answers (UPnP): {0}")]
    Silent(#[from] igd_next::SearchError),
    /// It refuses.
    #[error("the router does not open the port: {0}")]
    Refused(#[from] igd_next::AddPortError),
    /// It does not say where it is.
    #[error("the router does not say its address: {0}")]
    Nowhere(#[from] igd_next::GetExternalIpError),
    /// It is behind another router.
    #[error("the router's own address, {0}, is not a public one: others do not reach it")]
    Hidden(IpAddr),
}

/// A port that a router keeps open until this value is dropped, or four hours are over.
#[derive(Debug)]
pub struct OpenPort {
    gateway: Gateway,
    outside: SocketAddr,
}

impl OpenPort {
    /// Asks the router to hand what comes to its port of the same number on to this one. Waits for
    /// its answers.
    ///
    /// # Errors
    /// Why it does not.
    pub fn ask(inside: SocketAddrV4, options: GatewayOptions) -> Result<Self, NoPort> {
        let mut search = SearchOptions::default();
        search.bind_addr = options.own;
        search.broadcast_address = options.search;
        search.timeout = Some(options.patience);
        search.single_search_timeout = Some(options.patience);
        if options.own.ip().is_loopback() {
            // A router of this computer alone, as a test has it.
            search.allowed_gateway_ips = vec![options.own.ip()];
        }
        let gateway = search_gateway(search)?;
        let outside = gateway.get_external_ip()?;
        if !is_public(outside) {
            return Err(NoPort::Hidden(outside));
        }
        gateway.add_port(PortMappingProtocol::UDP, inside.port(), inside.into(), LEASE, NAME)?;
        Ok(Self { gateway, outside: SocketAddr::new(outside, inside.port()) })
    }

    /// Where others reach it.
    pub fn outside(&self) -> SocketAddr {
        self.outside
    }
}

impl Drop for OpenPort {
    fn drop(&mut self) {
        // Without an answer the router forgets it by itself, later.
        let _ = self.gateway.remove_port(PortMappingProtocol::UDP, self.outside.port());
    }
}

/// Whether others may reach an address: none of a home network, of a provider's own (RFC 6598), or
/// of this computer.
fn is_public(ip: IpAddr) -> bool {
    let IpAddr::V4(ip) = ip else { return true };
    let is_of_provider = ip.octets()[0] == 100 && ip.octets()[1] & 0xC0 == 64;
    !(ip.is_private() || ip.is_loopback() || ip.is_link_local() || ip.is_unspecified() || is_of_provider)
}
