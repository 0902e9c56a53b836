import type { ReactNode } from 'react'
import './object-page.css'

interface Props {
  readonly title: string
  /** Its state, as a tag. */
  readonly state?: ReactNode
  /** What may be done with it, buttons and links. */
  readonly actions?: ReactNode
  /** What happened to it, beside its data. */
  readonly course: ReactNode
  readonly courseTitle: string
  /** Its data, in cards. */
  readonly children: ReactNode
}

/** One thing as a page: what it is called, its state, what may be done, its data and everything that happened to it. */
export const ObjectPage = ({ title, state, actions, course, courseTitle, children }: Props) => (
  <div className="object-page">
    <div className="page-head">
      <h1>{title}</h1>
      {state}
    </div>
    {actions === undefined ? null : <div className="object-actions">{actions}</div>}
    <div className="object-columns">
      <div>{children}</div>
      <section className="card">
        <h2>{courseTitle}</h2>
        {course}
      </section>
    </div>
  </div>
)
