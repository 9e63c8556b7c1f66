//! The router of a home network is asked to let another player in: by PCP (RFC 6887), by NAT-PMP
//! (RFC 6886) where it speaks no newer one, and by `UPnP` (Internet Gateway Device) where it
//! answers neither.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};
use std::num::NonZeroU16;
use std::time::Duration;

use crab_nat::{
    InternetProtocol, MappingFailure, PortMapping, PortMappingOptions, PortMappingType, TimeoutConfig,
};
use igd_next::{AddPortError, Gateway, PortMappingProtocol, SearchOptions, search_gateway};
use tokio::runtime::{Builder, Runtime};

/// Seconds after which a router is to forget what it was asked for. It may grant less.
const LEASE: u32 = 4 * 60 * 60;
/// Between two renewals by `UPnP`, by which a router does not say what it has granted.
const UNTOLD: Duration = Duration::from_secs(30 * 60);
/// No port is renewed more often, whatever a router grants.
const SOONEST: Duration = Duration::from_secs(30);
/// What routers show beside the port.
const NAME: &str = "Maxout";
/// Questions by PCP and by NAT-PMP, the first of which is waited for for an eighth of the patience,
/// and each further one twice as long.
const AGAIN: usize = 2;
const FIRST: u32 = 8;

/// How a router is looked for.
#[derive(Clone, Copy, Debug)]
pub struct GatewayOptions {
    /// The router to ask by PCP and NAT-PMP; none is asked without one.
    pub router: Option<IpAddr>,
    /// Where routers listen for `UPnP`; those of a home network at 239.255.255.250:1900.
    pub search: SocketAddr,
    /// The address of this computer to ask from.
    pub own: SocketAddr,
    /// How long an answer is waited for, of each kind.
    pub patience: Duration,
}

impl Default for GatewayOptions {
    fn default() -> Self {
        Self {
            router: None,
            search: SocketAddr::from(([239, 255, 255, 250], 1_900)),
            own: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
            patience: Duration::from_secs(2),
        }
    }
}

impl GatewayOptions {
    /// Those of the network in which this computer is, with its router. Asks the system.
    pub fn of_network() -> Self {
        Self { router: default_gateway().map(IpAddr::V4), ..Self::default() }
    }
}

/// Returns the router of this computer's network, if it has an IPv4 address.
#[cfg(not(target_os = "linux"))]
fn default_gateway() -> Option<Ipv4Addr> {
    netdev::get_default_gateway().ok()?.ipv4.first().copied()
}

/// Returns the router of this computer's network, if it has an IPv4 address.
#[cfg(target_os = "linux")]
fn default_gateway() -> Option<Ipv4Addr> {
    gateway_of(&std::fs::read_to_string("/proc/net/route").ok()?)
}

/// Returns the gateway of the default route in a table of `/proc/net/route`, of several the one
/// with the lowest metric. The kernel prints addresses as numbers of 32 bits that lie in memory as
/// on the wire (`fib_route_seq_show` in Linux' `net/ipv4/fib_trie.c`).
#[cfg(target_os = "linux")]
fn gateway_of(table: &str) -> Option<Ipv4Addr> {
    /// `RTF_GATEWAY` of `linux/route.h`.
    const BY_GATEWAY: u32 = 2;
    let route = |line: &str| {
        let mut fields = line.split_whitespace().skip(1);
        let hex = |text: Option<&str>| u32::from_str_radix(text?, 16).ok();
        let (destination, gateway, flags) = (hex(fields.next())?, hex(fields.next())?, hex(fields.next())?);
        let metric: u32 = fields.nth(2)?.parse().ok()?;
        let mask = hex(fields.next())?;
        let leads_out = destination == 0 && mask == 0 && flags & BY_GATEWAY != 0;
        leads_out.then(|| (metric, Ipv4Addr::from(gateway.to_ne_bytes())))
    };
    table.lines().filter_map(route).min_by_key(|(metric, _)| *metric).map(|(_, gateway)| gateway)
}

/// Why the router has opened no port.
#[derive(Debug, thiserror::Error)]
pub enum NoPort {
    /// No router answers.
    #[error("no router answers (PCP, NAT-PMP, UPnP): {0}")]
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
    /// It does not renew what it has granted.
    #[error("the router may close the port: {0}")]
    Lost(#[from] MappingFailure),
    /// The system gives no socket.
    #[error("the router cannot be asked: {0}")]
    System(#[from] io::Error),
}

/// Why the router has opened no port by PCP or NAT-PMP: it is asked by `UPnP` then.
#[derive(Debug, thiserror::Error)]
enum NoMapping {
    /// It refuses, or does not answer.
    #[error(transparent)]
    Failed(#[from] MappingFailure),
    /// It does not say where it is.
    #[error(transparent)]
    Nowhere(#[from] crab_nat::natpmp::Failure),
    /// It is behind another router.
    #[error("{0}")]
    Hidden(IpAddr),
    /// The system gives no socket.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// A port that a router keeps open until this value is dropped, or until the time that it has
/// granted is over: it has to be renewed before ([`OpenPort::renewal`]).
#[derive(Debug)]
pub struct OpenPort {
    kept: Kept,
    inside: SocketAddrV4,
    outside: SocketAddr,
}

/// How it is closed again.
#[derive(Debug)]
enum Kept {
    /// By `UPnP`, for this many seconds; 0 where the router keeps ports for good or not at all.
    Service(Box<Gateway>, u32),
    /// By PCP or NAT-PMP.
    Mapping(Box<PortMapping>),
}

impl OpenPort {
    /// Asks the router to hand what comes to its port of the same number on to this one; by PCP or
    /// NAT-PMP it may choose another. Waits for its answers.
    ///
    /// # Errors
    /// Why it does not.
    pub fn ask(inside: SocketAddrV4, options: GatewayOptions) -> Result<Self, NoPort> {
        match map(inside, options) {
            Some(Ok(port)) => return Ok(port),
            Some(Err(NoMapping::Hidden(outside))) => return Err(NoPort::Hidden(outside)),
            // A router that speaks neither may speak the other.
            Some(Err(_)) | None => {}
        }
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
        let lease = match open(&gateway, inside, LEASE) {
            Err(AddPortError::OnlyPermanentLeasesSupported) => {
                open(&gateway, inside, 0)?;
                0
            }
            answer => answer.map(|()| LEASE)?,
        };
        let outside = SocketAddr::new(outside, inside.port());
        Ok(Self { kept: Kept::Service(Box::new(gateway), lease), inside, outside })
    }

    /// Returns after which time [`OpenPort::renew`] is to be called: half of what the router has
    /// granted, and 30 seconds at least. None where the port stays open without it.
    pub fn renewal(&self) -> Option<Duration> {
        match &self.kept {
            Kept::Service(_, 0) => None,
            Kept::Service(..) => Some(UNTOLD),
            Kept::Mapping(mapping) => match mapping.lifetime() {
                0 => None,
                granted => Some(SOONEST.max(Duration::from_secs(u64::from(granted) / 2))),
            },
        }
    }

    /// Asks the router to keep the port open. Waits for its answer. [`OpenPort::outside`] may be
    /// another address afterwards.
    ///
    /// # Errors
    /// Why it does not. The port may be open until the time that was granted before is over.
    pub fn renew(&mut self) -> Result<(), NoPort> {
        match &mut self.kept {
            Kept::Service(_, 0) => {}
            Kept::Service(gateway, lease) => open(gateway, self.inside, *lease)?,
            // What was granted for no time is not asked for again.
            Kept::Mapping(mapping) if mapping.lifetime() == 0 => {}
            Kept::Mapping(mapping) => {
                runtime()?.block_on(mapping.renew())?;
                let outside = match mapping.mapping_type() {
                    PortMappingType::Pcp { external_ip, .. } => external_ip.to_canonical(),
                    PortMappingType::NatPmp => self.outside.ip(),
                };
                self.outside = SocketAddr::new(outside, mapping.external_port().get());
            }
        }
        Ok(())
    }

    /// Where others reach it.
    pub fn outside(&self) -> SocketAddr {
        self.outside
    }

    /// What the router was asked by.
    pub fn protocol(&self) -> &'static str {
        match &self.kept {
            Kept::Service(..) => "UPnP",
            Kept::Mapping(mapping) => match mapping.mapping_type() {
                PortMappingType::NatPmp => "NAT-PMP",
                PortMappingType::Pcp { .. } => "PCP",
            },
        }
    }
}

impl Drop for OpenPort {
    fn drop(&mut self) {
        // Without an answer the router forgets it by itself, later.
        match &self.kept {
            Kept::Service(gateway, _) => {
                let _ = gateway.remove_port(PortMappingProtocol::UDP, self.outside.port());
            }
            Kept::Mapping(mapping) => {
                if let Ok(runtime) = runtime() {
                    let _ = runtime.block_on(mapping.as_ref().clone().try_drop());
                }
            }
        }
    }
}

/// Asks by `UPnP` for a port of the same number, for this many seconds; 0 is for good.
fn open(gateway: &Gateway, inside: SocketAddrV4, lease: u32) -> Result<(), AddPortError> {
    gateway.add_port(PortMappingProtocol::UDP, inside.port(), inside.into(), lease, NAME)
}

/// What waits for a router's answer, in the thread that asks.
fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Asks the router by PCP, or by NAT-PMP if it says that it speaks no newer one; none without a
/// router.
fn map(inside: SocketAddrV4, options: GatewayOptions) -> Option<Result<OpenPort, NoMapping>> {
    let router = options.router?;
    let port = NonZeroU16::new(inside.port())?;
    let timeout = TimeoutConfig {
        initial_timeout: options.patience / FIRST,
        max_retries: AGAIN,
        max_retry_timeout: Some(options.patience),
    };
    let asked = PortMappingOptions {
        external_port: Some(port),
        lifetime_seconds: Some(LEASE),
        timeout_config: Some(timeout),
    };
    let map = async {
        let client = IpAddr::V4(*inside.ip());
        let mapping = PortMapping::new(router.into(), client, InternetProtocol::Udp, port, asked).await?;
        let outside = match mapping.mapping_type() {
            PortMappingType::Pcp { external_ip, .. } => external_ip,
            PortMappingType::NatPmp => {
                match crab_nat::natpmp::external_address(router.into(), Some(timeout)).await {
                    Ok(outside) => outside.into(),
                    Err(error) => {
                        let _ = mapping.try_drop().await;
                        return Err(error.into());
                    }
                }
            }
        };
        let outside = SocketAddr::new(outside.to_canonical(), mapping.external_port().get());
        let port = OpenPort { kept: Kept::Mapping(Box::new(mapping)), inside, outside };
        Ok(port)
    };
    let asked = runtime().map_err(NoMapping::from).and_then(|runtime| runtime.block_on(map));
    // What is of no use is closed again, outside of what waits.
    Some(asked.and_then(|port| match port.outside.ip() {
        outside if is_public(outside) => Ok(port),
        outside => Err(NoMapping::Hidden(outside)),
    }))
}

/// Whether others may reach an address: none of a home network, of a provider's own (RFC 6598), or
/// of this computer.
fn is_public(ip: IpAddr) -> bool {
    let IpAddr::V4(ip) = ip else { return true };
    let is_of_provider = ip.octets()[0] == 100 && ip.octets()[1] & 0xC0 == 64;
    !(ip.is_private() || ip.is_loopback() || ip.is_link_local() || ip.is_unspecified() || is_of_provider)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_router_is_the_gateway_of_the_default_route_with_the_lowest_metric() {
        // An address as the kernel of this machine prints it.
        let number = |address: [u8; 4]| format!("{:08X}", u32::from_ne_bytes(address));
        let (any, mask) = (number([0; 4]), number([255, 255, 255, 0]));
        let row =
            |interface: &str, destination: &str, gateway: [u8; 4], flags: &str, metric: u32, mask: &str| {
                let gateway = number(gateway);
                format!("{interface}\t{destination}\t{gateway}\t{flags}\t0\t0\t{metric}\t{mask}\t0\t0\t0\n")
            };
        let header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";
        let wireless = row("wlan0", &any, [192, 168, 1, 1], "0003", 600, &any);
        let cable = row("eth0", &any, [10, 0, 0, 138], "0003", 100, &any);
        let home = row("eth0", &number([10, 0, 0, 0]), [10, 0, 0, 7], "0003", 0, &mask);
        let tunnel = row("tun0", &any, [0; 4], "0001", 50, &any);
        let of = |rows: &[&String]| {
            let rows: String = rows.iter().map(|row| row.as_str()).collect();
            gateway_of(&(header.to_owned() + &rows)).map(|gateway| gateway.octets())
        };
        assert_eq!(of(&[&wireless]), Some([192, 168, 1, 1]));
        assert_eq!(of(&[&home, &wireless, &tunnel, &cable]), Some([10, 0, 0, 138]));
        assert_eq!(of(&[&home, &tunnel]), None);
        assert_eq!(of(&[&"eth0\t00000000\t\n".to_owned(), &"\n".to_owned()]), None);
        assert_eq!(gateway_of(""), None);
        // A line that a little-endian machine printed.
        if cfg!(target_endian = "little") {
            let row = "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n";
            assert_eq!(gateway_of(row), Some(Ipv4Addr::new(192, 0, 2, 1)));
        }
    }
}
