import { useState } from 'react'

/** S2.32: the picture, or the first character on a coloured ground when there is none or it does not load. */
export const Avatar = ({ src, name, size = 28 }: { readonly src: string; readonly name: string; readonly size?: number }) => {
  const [broken, setBroken] = useState<string | null>(null)
  return src === '' || src === broken ? (
    <span className="avatar" style={{ width: size, height: size, fontSize: size * 0.45 }} data-default aria-hidden="true">
      {Array.from(name).slice(0, 1).join('').toUpperCase()}
    </span>
  ) : (
    <img className="avatar" src={src} alt="" style={{ width: size, height: size }} onError={() => setBroken(src)} />
  )
}
