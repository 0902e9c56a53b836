/** Where the key lies that the provider signs with. New merchants get a public key with an id, older ones certificates that roll. */
export type WechatPayTrust =
  | { readonly mode: 'publicKey'; readonly keyId: string; readonly publicKeyPem: string; readonly alsoCertificates?: boolean }
  | { readonly mode: 'certificate' }
