import type { ReactNode } from 'react'

export const Card = ({
  children,
  title,
  more,
}: {
  readonly children: ReactNode
  readonly title?: ReactNode
  readonly more?: ReactNode
}) => (
  <section className="p-card p-stack">
    {title !== undefined && (
      <div className="p-row-between">
        <h2>{title}</h2>
        {more}
      </div>
    )}
    {children}
  </section>
)
