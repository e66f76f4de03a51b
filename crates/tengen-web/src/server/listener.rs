//! Connections: how many there may be, and how long one may stay without a request.

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Bounds on connections.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most at once; others wait until one is closed.
    pub connections: usize,
    /// The most of one client at once; a further one is closed at once.
    pub per_client: usize,
    /// The longest time without a whole head of a request: from the beginning of the
    /// connection, or from the end of its last answer.
    pub head: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        // A process has 1,024 open files as a rule, and needs some for runs and engines.
        Self { connections: 768, per_client: 256, head: Duration::from_secs(10) }
    }
}

/// Answers the connections of `listener` by `router`, for ever.
pub async fn serve(mut listener: TcpListener, router: Router, bounds: Bounds) {
    let all = Arc::new(Semaphore::new(bounds.connections));
    let mut clients: HashMap<IpAddr, Arc<Semaphore>> = HashMap::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(bounds.head);
    let service = TowerToHyperService::new(router);
    loop {
        // The semaphore is never closed.
        let permit = all.clone().acquire_owned().await;
        let (stream, address) = Listener::accept(&mut listener).await;
        clients.retain(|_, free| free.available_permits() < bounds.per_client);
        let free = clients.entry(client(address.ip()));
        let free = free.or_insert_with(|| Arc::new(Semaphore::new(bounds.per_client)));
        let Ok(own_permit) = free.clone().try_acquire_owned() else { continue };
        // Events are small and must be sent at once.
        let _ = stream.set_nodelay(true);
        let connection = http.serve_connection(TokioIo::new(stream), service.clone());
        tokio::spawn(async move {
            // Fails if a client is gone or too slow, which is no error of the server.
            let _ = connection.await;
            drop((permit, own_permit));
        });
    }
}

/// The address that identifies a client: an `IPv6` machine owns all addresses that differ in
/// the last 64 bits.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body, Bytes};
    use axum::routing::get;
    use futures_util::stream;
    use std::convert::Infallible;
    use std::net::SocketAddr;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpSocket, TcpStream};
    use tokio::time::{sleep, timeout};

    const BOUNDS: Bounds =
        Bounds { connections: 12, per_client: 8, head: Duration::from_millis(300) };

    /// Longer than a connection may be idle.
    const LONG: Duration = Duration::from_millis(900);

    /// Runs `test` with the address of a server within [`BOUNDS`].
    fn with_server(test: impl AsyncFnOnce(SocketAddr)) {
        let late = async || {
            sleep(LONG).await;
            "late"
        };
        let slow = async || {
            Body::from_stream(stream::unfold(0, async |sent| {
                sleep(LONG / 2).await;
                let piece = Ok::<_, Infallible>(Bytes::from_static(b"piece"));
                (sent < 3).then_some((piece, sent + 1))
            }))
        };
        let router = Router::new()
            .route("/", get(async || "well"))
            .route("/late", get(late))
            .route("/slow", get(slow));
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap().block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(serve(listener, router, BOUNDS));
            timeout(Duration::from_secs(60), test(address)).await.expect("the server is stuck");
        });
    }

    /// Fails if the server has closed the connection.
    async fn send(stream: &mut TcpStream, path: &str) -> std::io::Result<()> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
        stream.write_all(request.as_bytes()).await
    }

    /// Reads up to `end`; false if the connection is closed before `end` arrives.
    async fn has(stream: &mut TcpStream, end: &str) -> bool {
        let mut text = Vec::new();
        while !text.ends_with(end.as_bytes()) {
            match stream.read_u8().await {
                Ok(byte) => text.push(byte),
                Err(_) => return false,
            }
        }
        true
    }

    async fn is_answered(mut stream: TcpStream) -> bool {
        send(&mut stream, "/").await.is_ok() && has(&mut stream, "well").await
    }

    #[test]
    fn idle_clients_keep_nobody_out() {
        with_server(async |address| {
            let mut idle = Vec::new();
            for _ in 0..BOUNDS.per_client {
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.write_all(b"GET / HTTP/1.1\r\nHo").await.unwrap();
                idle.push(stream);
            }
            // A further connection is one too many for this client,
            let further = TcpStream::connect(address).await.unwrap();
            assert!(!is_answered(further).await);
            // but another client, which Linux allows on the same machine, is still served.
            if cfg!(target_os = "linux") {
                let socket = TcpSocket::new_v4().unwrap();
                socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
                assert!(is_answered(socket.connect(address).await.unwrap()).await);
            }
            for mut stream in idle {
                let mut rest = Vec::new();
                // Ends when the server closes the connection.
                let _ = stream.read_to_end(&mut rest).await;
            }
            assert!(is_answered(TcpStream::connect(address).await.unwrap()).await);
        });
    }

    #[test]
    fn a_connection_lasts_while_it_is_used() {
        with_server(async |address| {
            let mut stream = TcpStream::connect(address).await.unwrap();
            for (path, end) in
                [("/", "well"), ("/late", "late"), ("/slow", "0\r\n\r\n"), ("/", "well")]
            {
                send(&mut stream, path).await.unwrap();
                assert!(has(&mut stream, end).await, "{path}");
            }
            assert!(!has(&mut stream, "an idle connection is closed").await);
        });
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let of = |text: &str| client(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
