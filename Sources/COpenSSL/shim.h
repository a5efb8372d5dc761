// OpenSSL as far as DTLS needs it, with its macros as plain functions: Swift cannot call those.
#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

/// A key on P-256, or NULL.
static inline EVP_PKEY *jam_make_key(void) { return EVP_EC_gen("P-256"); }

/// A certificate for `key`, signed by itself, or NULL. Peers know it by its fingerprint; nothing in it matters.
static inline X509 *jam_make_certificate(EVP_PKEY *key, long serial) {
  X509 *certificate = X509_new();
  if (!certificate) return NULL;
  X509_NAME *name = X509_get_subject_name(certificate);
  int ok = X509_set_version(certificate, 2) && ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial) &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), -86400) &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), 30 * 86400L) && X509_set_pubkey(certificate, key) &&
           X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"bandshell", -1, -1, 0) &&
           X509_set_issuer_name(certificate, name) && X509_sign(certificate, key, EVP_sha256());
  if (ok) return certificate;
  X509_free(certificate);
  return NULL;
}

static int jam_accept_any(int is_fine, X509_STORE_CTX *context) {
  (void)is_fine, (void)context;
  return 1;
}

/// DTLS 1.2 for WebRTC: both sides show a certificate, which is compared with its fingerprint after the handshake.
/// `profiles` are SRTP profiles in order of preference. NULL where something is not to be had.
static inline SSL_CTX *jam_make_context(EVP_PKEY *key, X509 *certificate, const char *profiles) {
  SSL_CTX *context = SSL_CTX_new(DTLS_method());
  if (!context) return NULL;
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, jam_accept_any);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_QUERY_MTU | SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_read_ahead(context, 1);
  int ok = SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION) &&
           SSL_CTX_set_cipher_list(context,
                                   "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:"
                                   "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-SHA") &&
           SSL_CTX_use_certificate(context, certificate) && SSL_CTX_use_PrivateKey(context, key) &&
           SSL_CTX_set_tlsext_use_srtp(context, profiles) == 0;
  if (ok) return context;
  SSL_CTX_free(context);
  return NULL;
}

/// The first repetition of a lost flight comes after 200 ms instead of a second; it doubles up to 2 s.
static unsigned int jam_retransmission(SSL *ssl, unsigned int microseconds) {
  (void)ssl;
  return microseconds == 0 ? 200000 : microseconds >= 1000000 ? 2000000 : 2 * microseconds;
}

/// A connection over memory, which belongs to it: bytes go in by `SSL_get_rbio` and out by `SSL_get_wbio`. NULL without memory.
static inline SSL *jam_make_connection(SSL_CTX *context, int is_server, long mtu) {
  SSL *ssl = SSL_new(context);
  BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
  if (!ssl || !in || !out) {
    SSL_free(ssl), BIO_free(in), BIO_free(out);
    return NULL;
  }
  BIO_set_mem_eof_return(in, -1);
  BIO_set_mem_eof_return(out, -1);
  SSL_set_bio(ssl, in, out);
  SSL_set_mtu(ssl, mtu);
  DTLS_set_timer_cb(ssl, jam_retransmission);
  if (is_server) SSL_set_accept_state(ssl);
  else SSL_set_connect_state(ssl);
  return ssl;
}

/// Repeats what was lost, if it is time.
static inline long jam_handle_timeout(SSL *ssl) { return DTLSv1_handle_timeout(ssl); }

/// AES-128-GCM under `key`, to seal with; NULL where it is not to be had.
static inline EVP_CIPHER_CTX *jam_gcm_make(const unsigned char *key) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, NULL)) return context;
  EVP_CIPHER_CTX_free(context);
  return NULL;
}

/// Seals `count` bytes in place under a vector of 12 bytes, vouching for `header` too; the 16 bytes of the tag go to `tag`.
static inline int jam_gcm_seal(EVP_CIPHER_CTX *context, const void *vector, const void *header, int header_count,
                               void *bytes, int count, void *tag) {
  int length = 0;
  return EVP_EncryptInit_ex(context, NULL, NULL, NULL, (const unsigned char *)vector) &&
         EVP_EncryptUpdate(context, NULL, &length, (const unsigned char *)header, header_count) &&
         EVP_EncryptUpdate(context, (unsigned char *)bytes, &length, (const unsigned char *)bytes, count) &&
         EVP_EncryptFinal_ex(context, (unsigned char *)bytes + length, &length) &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag);
}

/// What AES-128 in counter mode makes of zeros.
static inline int jam_aes_counter(const unsigned char *key, const unsigned char *counter, unsigned char *bytes, int count) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int length = 0;
  for (int i = 0; i < count; i++) bytes[i] = 0;
  int ok = context && EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), NULL, key, counter) &&
           EVP_EncryptUpdate(context, bytes, &length, bytes, count);
  EVP_CIPHER_CTX_free(context);
  return ok;
}
