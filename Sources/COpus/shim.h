// libopus, with its variadic controls as plain functions: Swift cannot call variadics.
#pragma once
#include <opus.h>

static inline int jam_opus_set_bitrate(OpusEncoder *encoder, opus_int32 bits_per_second) {
  return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
}
static inline int jam_opus_set_complexity(OpusEncoder *encoder, opus_int32 complexity) {
  return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
}
static inline int jam_opus_set_dtx(OpusEncoder *encoder, opus_int32 on) {
  return opus_encoder_ctl(encoder, OPUS_SET_DTX(on));
}
static inline int jam_opus_set_signal_music(OpusEncoder *encoder) {
  return opus_encoder_ctl(encoder, OPUS_SET_SIGNAL(OPUS_SIGNAL_MUSIC));
}
static inline int jam_opus_set_prediction_disabled(OpusEncoder *encoder, opus_int32 on) {
  return opus_encoder_ctl(encoder, OPUS_SET_PREDICTION_DISABLED(on));
}
static inline int jam_opus_get_lookahead(OpusEncoder *encoder, opus_int32 *frames) {
  return opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(frames));
}
static inline int jam_opus_reset_encoder(OpusEncoder *encoder) {
  return opus_encoder_ctl(encoder, OPUS_RESET_STATE);
}
static inline int jam_opus_reset_decoder(OpusDecoder *decoder) {
  return opus_decoder_ctl(decoder, OPUS_RESET_STATE);
}
