import { type FormEvent, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Block } from './block.tsx'
import { kitTexts } from './texts.ts'

type Cipher = typeof import('#web/kernel/legacy-cipher.ts')
const load = (): Promise<Cipher> => import('#web/kernel/legacy-cipher.ts')

const lengthOf = (key: string): number => new TextEncoder().encode(key).length

interface Way {
  readonly key: 'encrypt' | 'decrypt'
  readonly run: (cipher: Cipher, text: string, key: string) => string
}
interface Props {
  readonly title: string
  /** How many bytes a key may have. */
  readonly keyBytes: readonly number[]
  readonly keyHint: string
  readonly ways: readonly Way[]
}

const CipherBlock = ({ title, keyBytes, keyHint, ways }: Props) => {
  const t = useT(kitTexts)
  const [text, setText] = useState('')
  const [key, setKey] = useState('')
  const [way, setWay] = useState<Way['key'] | null>(null)
  const [result, setResult] = useState<string | null>(null)
  const wrongKey = way !== null && !keyBytes.includes(lengthOf(key))
  const isWrong = way !== null && !wrongKey && result === null
  const run = async ({ key: chosen, run: change }: Way) => {
    const cipher = await load()
    setWay(chosen)
    try {
      setResult(change(cipher, text, key))
    } catch {
      setResult(null)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [first] = ways
    if (first !== undefined) void run(first)
  }
  const type = (set: (value: string) => void) => (value: string) => {
    set(value)
    setWay(null)
    setResult(null)
  }
  return (
    <Block title={title}>
      <form className="kit-block" onSubmit={submit}>
        <LabelledInput label={t('cipher.text')} value={text} onChange={type(setText)} error={isWrong ? t('cipher.wrong') : undefined} />
        <LabelledInput label={keyHint} value={key} onChange={type(setKey)} error={wrongKey ? keyHint : undefined} />
        <div className="kit-row">
          {ways.map((each, index) => (
            <button
              key={each.key}
              type={index === 0 ? 'submit' : 'button'}
              className={index === 0 ? 'button button-primary' : 'button'}
              onClick={index === 0 ? undefined : () => void run(each)}
            >
              {t(`cipher.${each.key}`)}
            </button>
          ))}
        </div>
      </form>
      <p role="status" className="kit-cipher">
        {result === null ? '' : t('cipher.result', { text: result })}
      </p>
    </Block>
  )
}

const aesKeys = [16, 24, 32]
const aesWays: readonly Way[] = [
  { key: 'encrypt', run: (cipher, text, key) => cipher.aesEncrypt(text, key) },
  { key: 'decrypt', run: (cipher, text, key) => cipher.aesDecrypt(text, key) },
]
const desKeys = [8]
const desWays: readonly Way[] = [{ key: 'decrypt', run: (cipher, text, key) => cipher.desDecrypt(text, key) }]

/** S9.19: the ciphers of older clients, with a key that somebody types: the program has none. DES is read only (decision 3.13). */
export const CipherPart = () => {
  const t = useT(kitTexts)
  return (
    <div className="kit-grid">
      <CipherBlock title="AES" keyBytes={aesKeys} keyHint={t('cipher.aesKey')} ways={aesWays} />
      <CipherBlock title="DES" keyBytes={desKeys} keyHint={t('cipher.desKey')} ways={desWays} />
    </div>
  )
}
