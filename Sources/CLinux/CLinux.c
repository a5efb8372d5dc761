#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONTROL_BYTES 256
#define BATCH 64

static socklen_t to_sockaddr(const jam_address *address, struct sockaddr_storage *storage) {
  if (address->family == AF_INET) {
    struct sockaddr_in *in = (struct sockaddr_in *)storage;
    memset(in, 0, sizeof *in);
    in->sin_family = AF_INET;
    in->sin_port = htons(address->port);
    memcpy(&in->sin_addr, address->bytes, 4);
    return sizeof *in;
  }
  struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)storage;
  memset(in6, 0, sizeof *in6);
  in6->sin6_family = AF_INET6;
  in6->sin6_port = htons(address->port);
  in6->sin6_scope_id = address->scope;
  memcpy(&in6->sin6_addr, address->bytes, 16);
  return sizeof *in6;
}

static void from_sockaddr(const struct sockaddr *socket, jam_address *address) {
  memset(address, 0, sizeof *address);
  if (socket->sa_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)socket;
    address->family = AF_INET;
    address->port = ntohs(in->sin_port);
    memcpy(address->bytes, &in->sin_addr, 4);
  } else if (socket->sa_family == AF_INET6) {
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)socket;
    address->family = AF_INET6;
    address->port = ntohs(in6->sin6_port);
    memcpy(address->bytes, &in6->sin6_addr, 16);
    // Only link-local addresses need a scope. With any other address a scope would make one peer
    // look like two.
    if (IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr)) address->scope = in6->sin6_scope_id;
  }
}

static int64_t nanoseconds(const struct timespec *t) { return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec; }

int jam_udp_bind(const jam_address *address, int receive_bytes, int send_bytes, jam_address *bound) {
  int fd = socket(address->family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  int on = 1;
  // The forced sizes need a capability. Without it the system's maximum limits the size.
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &receive_bytes, sizeof receive_bytes) != 0)
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &send_bytes, sizeof send_bytes) != 0)
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_bytes, sizeof send_bytes);
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  int failed = 0;
  if (address->family == AF_INET6) {
    failed |= setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    failed |= setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on);
  } else {
    failed |= setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
  }
  struct sockaddr_storage storage;
  socklen_t length = to_sockaddr(address, &storage);
  if (failed || bind(fd, (struct sockaddr *)&storage, length) != 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  length = sizeof storage;
  if (getsockname(fd, (struct sockaddr *)&storage, &length) != 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  from_sockaddr((struct sockaddr *)&storage, bound);
  return fd;
}

struct jam_receiver {
  int capacity;
  int datagram_bytes;
  uint32_t kernel_drops;
  uint8_t *memory;
  uint8_t *control;
  struct mmsghdr *headers;
  struct iovec *vectors;
  struct sockaddr_storage *sources;
  jam_datagram *datagrams;
};

jam_receiver *jam_receiver_create(int capacity, int datagram_bytes) {
  jam_receiver *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->capacity = capacity;
  r->datagram_bytes = datagram_bytes;
  r->memory = malloc((size_t)capacity * (size_t)datagram_bytes);
  r->control = malloc((size_t)capacity * CONTROL_BYTES);
  r->headers = calloc((size_t)capacity, sizeof *r->headers);
  r->vectors = calloc((size_t)capacity, sizeof *r->vectors);
  r->sources = calloc((size_t)capacity, sizeof *r->sources);
  r->datagrams = calloc((size_t)capacity, sizeof *r->datagrams);
  if (!r->memory || !r->control || !r->headers || !r->vectors || !r->sources || !r->datagrams) {
    jam_receiver_destroy(r);
    return NULL;
  }
  for (int i = 0; i < capacity; i++) {
    r->vectors[i].iov_base = r->memory + (size_t)i * (size_t)datagram_bytes;
    r->vectors[i].iov_len = (size_t)datagram_bytes;
    r->headers[i].msg_hdr.msg_iov = &r->vectors[i];
    r->headers[i].msg_hdr.msg_iovlen = 1;
    r->headers[i].msg_hdr.msg_name = &r->sources[i];
    r->headers[i].msg_hdr.msg_control = r->control + (size_t)i * CONTROL_BYTES;
  }
  return r;
}

void jam_receiver_destroy(jam_receiver *r) {
  if (!r) return;
  free(r->memory);
  free(r->control);
  free(r->headers);
  free(r->vectors);
  free(r->sources);
  free(r->datagrams);
  free(r);
}

static void read_control(jam_receiver *r, struct msghdr *header, jam_datagram *out, int64_t offset, int64_t now) {
  out->arrival = now;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c; c = CMSG_NXTHDR(header, c)) {
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPNS) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
      int64_t arrival = nanoseconds(&stamp) - offset;
      // The wall clock may have been set between the stamp and now, so a stamp in the future or a
      // second old is not used.
      if (arrival <= now && arrival > now - 1000000000) out->arrival = arrival;
    } else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL) {
      memcpy(&r->kernel_drops, CMSG_DATA(c), sizeof r->kernel_drops);
    } else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
      struct in_pktinfo info;
      memcpy(&info, CMSG_DATA(c), sizeof info);
      out->path.local.family = AF_INET;
      memcpy(out->path.local.bytes, &info.ipi_spec_dst, 4);
    } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
      struct in6_pktinfo info;
      memcpy(&info, CMSG_DATA(c), sizeof info);
      // A multicast address cannot be the source of an answer.
      if (IN6_IS_ADDR_MULTICAST(&info.ipi6_addr)) continue;
      out->path.local.family = AF_INET6;
      memcpy(out->path.local.bytes, &info.ipi6_addr, 16);
      if (IN6_IS_ADDR_LINKLOCAL(&info.ipi6_addr)) out->path.local.scope = (uint32_t)info.ipi6_ifindex;
    }
  }
}

int jam_receive(jam_receiver *r, int fd, const jam_datagram **datagrams) {
  for (int i = 0; i < r->capacity; i++) {
    r->headers[i].msg_hdr.msg_namelen = sizeof r->sources[i];
    r->headers[i].msg_hdr.msg_controllen = CONTROL_BYTES;
    r->headers[i].msg_hdr.msg_flags = 0;
  }
  int count = recvmmsg(fd, r->headers, (unsigned)r->capacity, MSG_DONTWAIT, NULL);
  *datagrams = r->datagrams;
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  // The stamps are CLOCK_REALTIME; one pair of readings converts all stamps of the batch.
  struct timespec real, monotonic;
  clock_gettime(CLOCK_REALTIME, &real);
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  int64_t now = nanoseconds(&monotonic);
  int64_t offset = nanoseconds(&real) - now;
  for (int i = 0; i < count; i++) {
    jam_datagram *out = &r->datagrams[i];
    out->bytes = r->vectors[i].iov_base;
    out->length = r->headers[i].msg_len;
    out->is_truncated = (r->headers[i].msg_hdr.msg_flags & MSG_TRUNC) != 0;
    memset(&out->path.local, 0, sizeof out->path.local);
    from_sockaddr((struct sockaddr *)&r->sources[i], &out->path.peer);
    read_control(r, &r->headers[i].msg_hdr, out, offset, now);
  }
  return count;
}

uint32_t jam_receiver_kernel_drops(const jam_receiver *r) { return r->kernel_drops; }

typedef union {
  char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo))];
  struct cmsghdr align;
} packet_info;

static void write_control(const jam_address *local, struct msghdr *header, packet_info *info) {
  header->msg_control = NULL;
  header->msg_controllen = 0;
  if (local->family == 0) return;
  memset(info, 0, sizeof *info);
  header->msg_control = info;
  struct cmsghdr *c = &info->align;
  if (local->family == AF_INET) {
    header->msg_controllen = CMSG_SPACE(sizeof(struct in_pktinfo));
    c->cmsg_level = IPPROTO_IP;
    c->cmsg_type = IP_PKTINFO;
    c->cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo));
    struct in_pktinfo value = {0};
    memcpy(&value.ipi_spec_dst, local->bytes, 4);
    memcpy(CMSG_DATA(c), &value, sizeof value);
  } else {
    header->msg_controllen = CMSG_SPACE(sizeof(struct in6_pktinfo));
    c->cmsg_level = IPPROTO_IPV6;
    c->cmsg_type = IPV6_PKTINFO;
    c->cmsg_len = CMSG_LEN(sizeof(struct in6_pktinfo));
    struct in6_pktinfo value = {0};
    memcpy(&value.ipi6_addr, local->bytes, 16);
    value.ipi6_ifindex = local->scope;
    memcpy(CMSG_DATA(c), &value, sizeof value);
  }
}

/// Sends `count` prepared messages. A message that the kernel refuses is skipped; a full socket
/// buffer ends the sending.
static int send_all(int fd, struct mmsghdr *headers, int count, int *is_full) {
  int sent = 0, next = 0;
  while (next < count) {
    int n = sendmmsg(fd, headers + next, (unsigned)(count - next), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0) {
      sent += n;
      next += n;
    } else if (errno == EAGAIN || errno == ENOBUFS) {
      *is_full = 1;
      break;
    } else if (errno != EINTR) {
      next++;
    }
  }
  return sent;
}

int jam_send_to_many(int fd, const void *payload, size_t length, const jam_path *paths, int count) {
  struct mmsghdr headers[BATCH];
  struct sockaddr_storage names[BATCH];
  packet_info infos[BATCH];
  struct iovec vector = {.iov_base = (void *)payload, .iov_len = length};
  int sent = 0, is_full = 0;
  for (int start = 0; start < count && !is_full; start += BATCH) {
    int n = count - start < BATCH ? count - start : BATCH;
    for (int i = 0; i < n; i++) {
      struct msghdr *h = &headers[i].msg_hdr;
      h->msg_name = &names[i];
      h->msg_namelen = to_sockaddr(&paths[start + i].peer, &names[i]);
      h->msg_iov = &vector;
      h->msg_iovlen = 1;
      h->msg_flags = 0;
      write_control(&paths[start + i].local, h, &infos[i]);
    }
    sent += send_all(fd, headers, n, &is_full);
  }
  return sent;
}

int jam_send_batch(int fd, const uint8_t *buffer, const jam_outgoing *outgoing, int count) {
  struct mmsghdr headers[BATCH];
  struct sockaddr_storage names[BATCH];
  packet_info infos[BATCH];
  struct iovec vectors[BATCH];
  int sent = 0, is_full = 0;
  for (int start = 0; start < count && !is_full; start += BATCH) {
    int n = count - start < BATCH ? count - start : BATCH;
    for (int i = 0; i < n; i++) {
      const jam_outgoing *out = &outgoing[start + i];
      struct msghdr *h = &headers[i].msg_hdr;
      vectors[i].iov_base = (void *)(buffer + out->offset);
      vectors[i].iov_len = out->length;
      h->msg_name = &names[i];
      h->msg_namelen = to_sockaddr(&out->path.peer, &names[i]);
      h->msg_iov = &vectors[i];
      h->msg_iovlen = 1;
      h->msg_flags = 0;
      write_control(&out->path.local, h, &infos[i]);
    }
    sent += send_all(fd, headers, n, &is_full);
  }
  return sent;
}

int jam_address_parse(const char *text, jam_address *address) {
  memset(address, 0, sizeof *address);
  char host[INET6_ADDRSTRLEN + IF_NAMESIZE + 1];
  size_t length = strlen(text);
  if (length == 0 || length >= sizeof host) return -1;
  memcpy(host, text, length + 1);
  if (inet_pton(AF_INET, host, address->bytes) == 1) {
    address->family = AF_INET;
    return 0;
  }
  char *scope = strchr(host, '%');
  if (scope) *scope++ = 0;
  if (inet_pton(AF_INET6, host, address->bytes) != 1) return -1;
  address->family = AF_INET6;
  if (scope) {
    char *end;
    unsigned long index = strtoul(scope, &end, 10);
    address->scope = *scope && *end == 0 && index <= UINT32_MAX ? (uint32_t)index : if_nametoindex(scope);
    if (address->scope == 0) return -1;
  }
  return 0;
}

void jam_address_print(const jam_address *address, char *text, size_t capacity) {
  text[0] = 0;
  if (address->family != AF_INET && address->family != AF_INET6) return;
  inet_ntop(address->family, address->bytes, text, (socklen_t)capacity);
  if (address->scope == 0) return;
  size_t length = strlen(text);
  char name[IF_NAMESIZE];
  if (if_indextoname(address->scope, name))
    snprintf(text + length, capacity - length, "%%%s", name);
  else
    snprintf(text + length, capacity - length, "%%%u", address->scope);
}

static uint32_t count_bits(const struct sockaddr *mask, int family) {
  if (!mask) return family == AF_INET ? 32 : 128;
  const uint8_t *bytes = family == AF_INET ? (const uint8_t *)&((const struct sockaddr_in *)mask)->sin_addr
                                           : (const uint8_t *)&((const struct sockaddr_in6 *)mask)->sin6_addr;
  uint32_t bits = 0;
  for (int i = 0; i < (family == AF_INET ? 4 : 16); i++) bits += (uint32_t)__builtin_popcount(bytes[i]);
  return bits;
}

int jam_interfaces(jam_interface *interfaces, int capacity) {
  struct ifaddrs *list;
  if (getifaddrs(&list) != 0) return -errno;
  int count = 0;
  for (struct ifaddrs *entry = list; entry; entry = entry->ifa_next) {
    if (!entry->ifa_addr || !(entry->ifa_flags & IFF_UP)) continue;
    int family = entry->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    if (count < capacity) {
      jam_interface *out = &interfaces[count];
      memset(out, 0, sizeof *out);
      snprintf(out->name, sizeof out->name, "%s", entry->ifa_name);
      from_sockaddr(entry->ifa_addr, &out->address);
      out->prefix_length = count_bits(entry->ifa_netmask, family);
      out->index = if_nametoindex(entry->ifa_name);
      out->is_loopback = (entry->ifa_flags & IFF_LOOPBACK) != 0;
      char path[64];
      snprintf(path, sizeof path, "/sys/devices/virtual/net/%s", out->name);
      out->is_virtual = access(path, F_OK) == 0;
      unsigned both = IFF_MULTICAST | IFF_POINTOPOINT;
      out->has_multicast = (entry->ifa_flags & both) == IFF_MULTICAST;
    }
    count++;
  }
  freeifaddrs(list);
  return count;
}

#define MDNS_PORT 5353

static void mdns_group(int family, jam_address *group) {
  memset(group, 0, sizeof *group);
  group->family = (uint16_t)family;
  group->port = MDNS_PORT;
  inet_pton(family, family == AF_INET ? "224.0.0.251" : "ff02::fb", group->bytes);
}

static int mdns_open(int family, int hears_group_only) {
  int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  int on = 1, off = 0, hops = 255, failed = 0;
  // Other programs of this machine may hold the port, too: each of them gets all multicasts.
  failed |= setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  failed |= setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  if (family == AF_INET6) {
    failed |= setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    failed |= setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on);
    failed |= setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &hops, sizeof hops);
    failed |= setsockopt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS, &hops, sizeof hops);
    failed |= setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, &on, sizeof on);
    // Groups that another program has joined are its own business. Old kernels lack the option.
    setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_ALL, &off, sizeof off);
  } else {
    failed |= setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
    failed |= setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops);
    failed |= setsockopt(fd, IPPROTO_IP, IP_TTL, &hops, sizeof hops);
    failed |= setsockopt(fd, IPPROTO_IP, IP_MULTICAST_LOOP, &on, sizeof on);
    setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off);
  }
  jam_address place = {.family = (uint16_t)family, .port = MDNS_PORT};
  if (hears_group_only) mdns_group(family, &place);
  struct sockaddr_storage storage;
  socklen_t length = to_sockaddr(&place, &storage);
  if (failed || bind(fd, (struct sockaddr *)&storage, length) != 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

int jam_mdns_open(int family) { return mdns_open(family, 0); }

int jam_mdns_open_group(void) { return mdns_open(AF_INET, 1); }

int jam_mdns_join(int fd, int family, uint32_t index, int joins) {
  jam_address group;
  mdns_group(family, &group);
  int failed;
  if (family == AF_INET6) {
    struct ipv6_mreq request = {.ipv6mr_interface = index};
    memcpy(&request.ipv6mr_multiaddr, group.bytes, 16);
    int option = joins ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP;
    failed = setsockopt(fd, IPPROTO_IPV6, option, &request, sizeof request);
  } else {
    struct ip_mreqn request = {.imr_ifindex = (int)index};
    memcpy(&request.imr_multiaddr, group.bytes, 4);
    int option = joins ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP;
    failed = setsockopt(fd, IPPROTO_IP, option, &request, sizeof request);
  }
  return failed ? -errno : 0;
}

int jam_mdns_receive(int fd, void *buffer, size_t capacity, jam_mdns_source *source) {
  struct sockaddr_storage name;
  char control[CONTROL_BYTES];
  struct iovec vector = {.iov_base = buffer, .iov_len = capacity};
  struct msghdr header = {
      .msg_name = &name,
      .msg_namelen = sizeof name,
      .msg_iov = &vector,
      .msg_iovlen = 1,
      .msg_control = control,
      .msg_controllen = sizeof control,
  };
  memset(source, 0, sizeof *source);
  ssize_t length = recvmsg(fd, &header, MSG_DONTWAIT);
  if (length < 0) return -errno;
  from_sockaddr((struct sockaddr *)&name, &source->peer);
  source->is_truncated = (header.msg_flags & MSG_TRUNC) != 0;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
      struct in_pktinfo info;
      memcpy(&info, CMSG_DATA(c), sizeof info);
      source->index = (uint32_t)info.ipi_ifindex;
      source->is_multicast = IN_MULTICAST(ntohl(info.ipi_addr.s_addr));
    } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
      struct in6_pktinfo info;
      memcpy(&info, CMSG_DATA(c), sizeof info);
      source->index = info.ipi6_ifindex;
      source->is_multicast = IN6_IS_ADDR_MULTICAST(&info.ipi6_addr);
    }
  }
  return (int)length;
}

int jam_mdns_send(
    int fd, int family, uint32_t index, const jam_address *local, const jam_address *peer,
    const void *bytes, size_t length) {
  jam_address group;
  if (peer->family == 0) {
    mdns_group(family, &group);
    if (family == AF_INET6) group.scope = index;
    peer = &group;
  }
  struct sockaddr_storage name;
  packet_info info;
  memset(&info, 0, sizeof info);
  struct iovec vector = {.iov_base = (void *)bytes, .iov_len = length};
  struct msghdr header = {
      .msg_name = &name,
      .msg_namelen = to_sockaddr(peer, &name),
      .msg_iov = &vector,
      .msg_iovlen = 1,
      .msg_control = &info,
  };
  struct cmsghdr *c = &info.align;
  // The system would choose no address at all on `lo`, whose addresses have the scope of the host.
  if (family == AF_INET6) {
    header.msg_controllen = CMSG_SPACE(sizeof(struct in6_pktinfo));
    c->cmsg_level = IPPROTO_IPV6;
    c->cmsg_type = IPV6_PKTINFO;
    c->cmsg_len = CMSG_LEN(sizeof(struct in6_pktinfo));
    struct in6_pktinfo value = {.ipi6_ifindex = index};
    memcpy(&value.ipi6_addr, local->bytes, 16);
    memcpy(CMSG_DATA(c), &value, sizeof value);
  } else {
    header.msg_controllen = CMSG_SPACE(sizeof(struct in_pktinfo));
    c->cmsg_level = IPPROTO_IP;
    c->cmsg_type = IP_PKTINFO;
    c->cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo));
    struct in_pktinfo value = {.ipi_ifindex = (int)index};
    memcpy(&value.ipi_spec_dst, local->bytes, 4);
    memcpy(CMSG_DATA(c), &value, sizeof value);
  }
  ssize_t sent;
  do sent = sendmsg(fd, &header, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}
