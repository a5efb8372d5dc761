// The parts of OpenSSL for TLS, DTLS and certificates. Its macros are plain functions here, because
// Swift cannot call macros.
#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// A key on P-256, or NULL.
static inline EVP_PKEY *jam_make_key(void) { return EVP_EC_gen("P-256"); }

/// A self-signed certificate for `key`, or NULL. Peers identify it by its fingerprint, so its
/// contents do not matter.
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

/// DTLS 1.2 for WebRTC. Both sides show a certificate, which is compared with its fingerprint after
/// the handshake. `profiles` are SRTP profiles in order of preference. Returns NULL where OpenSSL
/// cannot make a part of it.
static inline SSL_CTX *jam_make_context(EVP_PKEY *key, X509 *certificate, const char *profiles) {
  SSL_CTX *context = SSL_CTX_new(DTLS_method());
  if (!context) return NULL;
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, jam_accept_any);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_QUERY_MTU | SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_read_ahead(context, 1);
  int ok = SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION) &&
           SSL_CTX_set_cipher_list(context,
                                   "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
                                   "ECDHE-ECDSA-CHACHA20-POLY1305:"
                                   "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-SHA") &&
           SSL_CTX_use_certificate(context, certificate) && SSL_CTX_use_PrivateKey(context, key) &&
           SSL_CTX_set_tlsext_use_srtp(context, profiles) == 0;
  if (ok) return context;
  SSL_CTX_free(context);
  return NULL;
}

/// The first repetition of a lost flight comes after 200 ms, and not after OpenSSL's second. Each
/// further wait doubles, up to 2 s.
static unsigned int jam_retransmission(SSL *ssl, unsigned int microseconds) {
  (void)ssl;
  return microseconds == 0 ? 200000 : microseconds >= 1000000 ? 2000000 : 2 * microseconds;
}

/// A connection over memory buffers, which the connection owns. Bytes go in through `SSL_get_rbio`
/// and out through `SSL_get_wbio`. NULL without memory.
static inline SSL *jam_make_memory_connection(SSL_CTX *context, int is_server) {
  SSL *ssl = SSL_new(context);
  BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
  if (!ssl || !in || !out) {
    SSL_free(ssl), BIO_free(in), BIO_free(out);
    return NULL;
  }
  BIO_set_mem_eof_return(in, -1);
  BIO_set_mem_eof_return(out, -1);
  SSL_set_bio(ssl, in, out);
  if (is_server) SSL_set_accept_state(ssl);
  else SSL_set_connect_state(ssl);
  return ssl;
}

/// A DTLS connection over memory buffers, with datagrams of `mtu` bytes.
static inline SSL *jam_make_connection(SSL_CTX *context, int is_server, long mtu) {
  SSL *ssl = jam_make_memory_connection(context, is_server);
  if (!ssl) return NULL;
  SSL_set_mtu(ssl, mtu);
  DTLS_set_timer_cb(ssl, jam_retransmission);
  return ssl;
}

/// Repeats a lost flight when its time has come.
static inline long jam_handle_timeout(SSL *ssl) { return DTLSv1_handle_timeout(ssl); }

/// AES-128-GCM with `key`, for sealing; NULL where OpenSSL cannot make it.
static inline EVP_CIPHER_CTX *jam_gcm_make(const unsigned char *key) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, NULL)) return context;
  EVP_CIPHER_CTX_free(context);
  return NULL;
}

/// Seals `count` bytes in place with a vector of 12 bytes, and authenticates `header` as well. The
/// 16 bytes of the tag are written to `tag`.
static inline int jam_gcm_seal(EVP_CIPHER_CTX *context, const void *vector, const void *header, int header_count,
                               void *bytes, int count, void *tag) {
  int length = 0;
  return EVP_EncryptInit_ex(context, NULL, NULL, NULL, (const unsigned char *)vector) &&
         EVP_EncryptUpdate(context, NULL, &length, (const unsigned char *)header, header_count) &&
         EVP_EncryptUpdate(context, (unsigned char *)bytes, &length, (const unsigned char *)bytes, count) &&
         EVP_EncryptFinal_ex(context, (unsigned char *)bytes + length, &length) &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag);
}

/// The keystream of AES-128 in counter mode: zeros, encrypted.
static inline int jam_aes_counter(const unsigned char *key, const unsigned char *counter, unsigned char *bytes,
                                  int count) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int length = 0;
  for (int i = 0; i < count; i++) bytes[i] = 0;
  int ok = context && EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), NULL, key, counter) &&
           EVP_EncryptUpdate(context, bytes, &length, bytes, count);
  EVP_CIPHER_CTX_free(context);
  return ok;
}

// MARK: TLS

/// Chooses HTTP/1.1 where the peer offers it (RFC 7301). A peer that offers only other protocols is
/// still served.
static int jam_choose_http(SSL *ssl, const unsigned char **chosen, unsigned char *count, const unsigned char *offered,
                           unsigned int size, void *user) {
  static const unsigned char http[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  (void)ssl, (void)user;
  int found = SSL_select_next_proto((unsigned char **)chosen, count, http, sizeof http, offered, size);
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/// The context of a server with TLS 1.2 and 1.3, still without a certificate. Sessions are resumed
/// with tickets, so no session is stored here, and an idle connection holds no buffers. TLS 1.2
/// only has AEAD ciphers with forward secrecy. NULL where OpenSSL cannot make a part of it.
static inline SSL_CTX *jam_make_tls_context(void) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (!context) return NULL;
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context, jam_choose_http, NULL);
  if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) &&
      SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20"))
    return context;
  SSL_CTX_free(context);
  return NULL;
}

static inline int jam_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

// MARK: The server's own authority

static inline int jam_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509V3_set_ctx_nodb(&context);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  int ok = extension && X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return ok;
}

static inline int jam_set_random_serial(X509 *certificate) {
  BIGNUM *serial = BN_new();
  int ok = serial && BN_rand(serial, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) &&
           BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate));
  BN_free(serial);
  return ok;
}

/// A certificate for `key` with the name `name`, valid from a day ago for `days` days, or NULL.
///
/// Without `issuer` the certificate is a self-signed authority, which may only sign for `names`
/// (name constraints). With `issuer` it is a server's certificate for `names` (subject alternative
/// names), signed by the issuer.
static inline X509 *jam_issue_certificate(EVP_PKEY *key, const char *name, const char *names, long days, X509 *issuer,
                                          EVP_PKEY *issuer_key) {
  X509 *certificate = X509_new();
  if (!certificate) return NULL;
  X509 *signer = issuer ? issuer : certificate;
  X509_NAME *subject = X509_get_subject_name(certificate);
  int ok = X509_set_version(certificate, 2) && jam_set_random_serial(certificate) &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), -86400) &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), days * 86400L) && X509_set_pubkey(certificate, key) &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0) &&
           X509_set_issuer_name(certificate, X509_get_subject_name(signer)) &&
           jam_add_extension(certificate, signer, NID_subject_key_identifier, "hash");
  if (ok && !issuer)
    ok = jam_add_extension(certificate, signer, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
         jam_add_extension(certificate, signer, NID_key_usage, "critical,keyCertSign,cRLSign") &&
         jam_add_extension(certificate, signer, NID_name_constraints, names);
  if (ok && issuer)
    ok = jam_add_extension(certificate, signer, NID_authority_key_identifier, "keyid") &&
         jam_add_extension(certificate, signer, NID_basic_constraints, "critical,CA:FALSE") &&
         jam_add_extension(certificate, signer, NID_key_usage, "critical,digitalSignature") &&
         jam_add_extension(certificate, signer, NID_ext_key_usage, "serverAuth") &&
         jam_add_extension(certificate, signer, NID_subject_alt_name, names);
  if (ok && X509_sign(certificate, issuer ? issuer_key : key, EVP_sha256())) return certificate;
  X509_free(certificate);
  return NULL;
}

/// Whether the authority signed `certificate`, its names are within the authority's constraints,
/// and both are still valid in `days` days.
static inline int jam_vouches(X509 *authority, X509 *certificate, long days) {
  X509_STORE *store = X509_STORE_new();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int ok = store && context && X509_STORE_add_cert(store, authority) &&
           X509_STORE_CTX_init(context, store, certificate, NULL);
  if (ok) {
    X509_STORE_CTX_set_time(context, 0, time(NULL) + days * 86400L);
    ok = X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER) && X509_verify_cert(context) == 1;
  }
  X509_STORE_CTX_free(context);
  X509_STORE_free(store);
  ERR_clear_error();
  return ok;
}

/// The bytes in the memory BIO, as text that the caller frees with `free`; NULL where `ok` is 0.
/// The BIO is freed.
static inline char *jam_text_of(BIO *memory, int ok) {
  char *text = NULL, *bytes = NULL;
  long count = memory && ok ? BIO_get_mem_data(memory, &bytes) : 0;
  if (count > 0 && (text = (char *)malloc((size_t)count + 1))) {
    memcpy(text, bytes, (size_t)count);
    text[count] = 0;
  }
  BIO_free(memory);
  return text;
}

static inline char *jam_certificate_text(X509 *certificate) {
  BIO *memory = BIO_new(BIO_s_mem());
  return jam_text_of(memory, memory && PEM_write_bio_X509(memory, certificate));
}

static inline char *jam_key_text(EVP_PKEY *key) {
  BIO *memory = BIO_new(BIO_s_mem());
  return jam_text_of(memory, memory && PEM_write_bio_PKCS8PrivateKey(memory, key, NULL, NULL, 0, NULL, NULL));
}

static inline X509 *jam_certificate_from(const char *text) {
  BIO *memory = BIO_new_mem_buf(text, -1);
  X509 *certificate = memory ? PEM_read_bio_X509(memory, NULL, NULL, NULL) : NULL;
  BIO_free(memory);
  ERR_clear_error();
  return certificate;
}

/// Whether reading PEM ended because no further block of that kind follows.
static inline int jam_is_end_of_pem(void) {
  unsigned long error = ERR_peek_last_error();
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

static inline int jam_no_passphrase(char *buffer, int size, int writes, void *user) {
  (void)buffer, (void)size, (void)writes, (void)user;
  return -1;
}

static inline EVP_PKEY *jam_key_from(const char *text) {
  BIO *memory = BIO_new_mem_buf(text, -1);
  EVP_PKEY *key = memory ? PEM_read_bio_PrivateKey(memory, NULL, jam_no_passphrase, NULL) : NULL;
  BIO_free(memory);
  ERR_clear_error();
  return key;
}

/// Writes the certificate's DER to `bytes`. Returns its length, or 0 where `capacity` is too small.
static inline int jam_certificate_der(X509 *certificate, unsigned char *bytes, int capacity) {
  int count = i2d_X509(certificate, NULL);
  if (count <= 0 || count > capacity) return 0;
  return i2d_X509(certificate, &bytes);
}
