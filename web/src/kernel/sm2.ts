import { sm2 } from 'sm-crypto-v2'

/** Loaded by `cipher.ts` alone and on demand, so that the library stays out of the first load. */
export const encryptHex = (plain: string, publicKey: string, mode: number): string => sm2.doEncrypt(plain, publicKey, mode)
