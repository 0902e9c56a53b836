import type { Through } from './request.ts'

/** Encrypts a call by AES under a key of the session, its answer too (S9.19): `api.call(route, input, { through: sealed })`. The ciphers come with the first. */
export const sealed: Through = async (...call) => (await import('./sealed-call.ts')).sendSealed(...call)
