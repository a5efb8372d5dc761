// Datagram system calls and control-message macros that Swift cannot import.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// An IP address with its port: the same layout as Swift's `SocketAddress`.
typedef struct {
  uint8_t bytes[16];  // network order; an IPv4 address is the first four, the rest zero
  uint32_t scope;     // IPv6 link-local: the interface's index
  uint16_t port;      // host order
  uint16_t family;    // AF_INET, AF_INET6 or 0
} jam_address;

/// The destination of a datagram, and the local address that it leaves from (family 0: the system
/// chooses).
typedef struct {
  jam_address peer;
  jam_address local;
} jam_path;

/// One received datagram; `bytes` stays valid until the next receive.
typedef struct {
  const uint8_t *bytes;
  uint32_t length;
  uint32_t is_truncated;
  jam_path path;
  int64_t arrival;  // CLOCK_MONOTONIC, nanoseconds
} jam_datagram;

/// One datagram to send: `length` bytes at `offset` of a shared buffer.
typedef struct {
  uint32_t offset;
  uint32_t length;
  jam_path path;
} jam_outgoing;

typedef struct jam_receiver jam_receiver;

/// Makes and binds a non-blocking UDP socket with arrival stamps, local addresses and drop counts
/// switched on. IPv6 sockets accept only IPv6. Returns the descriptor, or the negated error number.
/// `bound` receives the address with the port that was bound.
int jam_udp_bind(const jam_address *address, int receive_bytes, int send_bytes, jam_address *bound);

/// Memory for `capacity` datagrams of `datagram_bytes` each, or NULL.
jam_receiver *jam_receiver_create(int capacity, int datagram_bytes);
void jam_receiver_destroy(jam_receiver *receiver);

/// Receives the waiting datagrams without blocking. Returns their number, 0 where there are none,
/// or the negated error number.
int jam_receive(jam_receiver *receiver, int fd, const jam_datagram **datagrams);

/// The number of datagrams that the kernel has dropped because the last receive's socket had no
/// room (SO_RXQ_OVFL; wraps).
uint32_t jam_receiver_kernel_drops(const jam_receiver *receiver);

/// Sends one payload along `count` paths. Returns how many datagrams were sent. The kernel refused
/// the others, and they are lost.
int jam_send_to_many(int fd, const void *payload, size_t length, const jam_path *paths, int count);

/// Sends `count` datagrams from `buffer`. Returns how many were sent. The kernel refused the
/// others, and they are lost.
int jam_send_batch(int fd, const uint8_t *buffer, const jam_outgoing *outgoing, int count);

/// Parses a numeric IPv4 or IPv6 address, the latter with an optional `%scope`. Returns 0 on
/// success.
int jam_address_parse(const char *text, jam_address *address);
/// Writes the address without its port. A `capacity` of 64 is enough.
void jam_address_print(const jam_address *address, char *text, size_t capacity);

/// One address of one interface.
typedef struct {
  char name[16];
  jam_address address;
  uint32_t prefix_length;
  uint32_t index;
  uint32_t is_loopback;
  uint32_t is_virtual;  // no hardware behind it: a bridge, a tunnel, a container's pair
  uint32_t has_multicast;  // multicast reaches its neighbours; false for a tunnel to one peer
} jam_interface;

/// The addresses of all interfaces that are up. Returns their number, or the negated error number.
/// At most `capacity` of them are written.
int jam_interfaces(jam_interface *interfaces, int capacity);

/// Makes a non-blocking UDP socket on the port of multicast DNS that other programs may share, with
/// a hop limit of 255, and hears its own datagrams. Returns the descriptor, or the negated error
/// number.
int jam_mdns_open(int family);

/// The same for IPv4, bound to the group's address: it hears datagrams to everybody, and takes none
/// that is sent to this machine alone from the program that announces the machine.
int jam_mdns_open_group(void);

/// Joins (or leaves) the group of multicast DNS on the interface of that index. Returns 0, or the
/// negated error number.
int jam_mdns_join(int fd, int family, uint32_t index, int joins);

/// How one datagram of multicast DNS came.
typedef struct {
  jam_address peer;
  uint32_t index;  // of the interface
  uint32_t is_multicast;
  uint32_t is_truncated;
} jam_mdns_source;

/// Receives one waiting datagram without blocking. Returns its length, or the negated error number.
int jam_mdns_receive(int fd, void *buffer, size_t capacity, jam_mdns_source *source);

/// Sends one datagram by the interface of that index, from its address `local`. A `peer` of family
/// 0 is the group of `family`. Returns 0, or the negated error number.
int jam_mdns_send(
    int fd, int family, uint32_t index, const jam_address *local, const jam_address *peer,
    const void *bytes, size_t length);
