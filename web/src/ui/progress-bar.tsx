import type { ReactNode } from 'react'

/** How far something is, as a bar and as words that are read out when they change. */
export const ProgressBar = ({
  percent,
  text,
  label = text,
  failed = false,
  children,
}: {
  readonly percent: number
  readonly text: string
  /** Name of the bar when the text is not one. */
  readonly label?: string
  readonly failed?: boolean
  /** Behind the text: what can be done about it. */
  readonly children?: ReactNode
}) => (
  <div className="progress">
    <div className="upload-bar" role="progressbar" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
      <i style={{ width: `${percent}%` }} />
    </div>
    <div className="progress-line">
      <span role="status" className={failed ? 'field-error' : undefined}>
        {text}
      </span>
      {children}
    </div>
  </div>
)
