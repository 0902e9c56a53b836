// Logs somebody in at a running release with its own Node: node log-in-from-release.mjs <address> <account> <password>. It is put into one file first.
// A page that cannot show a picture does work instead; so does this.
import { createHash } from 'node:crypto'
import { workText, zeroBits } from '#contract/auth/work.ts'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'

const [url, account, password] = process.argv.slice(2)

// A connection for each call: while this works, the server closes one that lies idle.
const headers = {
  Connection: 'close',
  Authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`,
  'Tenant-Id': '000000',
}
const get = async path => (await fetch(`${url}/api/blade-auth/oauth/${path}`, { headers })).json()
const { data } = await get('public-key')
const { key, bits } = await get('captcha-work')
let answer = 0
while (
  zeroBits([
    createHash('sha256')
      .update(workText(key, String(answer)))
      .digest()
      .readUInt32BE(0),
  ]) < bits
)
  answer += 1
const query = new URLSearchParams({
  grant_type: 'captcha',
  username: account,
  password: sm2Encrypt(data.publicKey, password),
  scope: 'all',
})
const response = await fetch(`${url}/api/blade-auth/oauth/token?${query}`, {
  method: 'POST',
  headers: { ...headers, 'captcha-key': key, 'captcha-code': String(answer) },
})
const body = await response.json()
console.log(
  JSON.stringify({ status: response.status, account: body.account, hasToken: typeof body.access_token === 'string', error: body.error }),
)
