import type { ReactNode } from 'react'

const paths: Readonly<Record<string, ReactNode>> = {
  wel: <path d="m2.5 8 6.5-5.5L15.5 8v7.5h-4.5v-4.5h-4v4.5H2.5z" />,
  dashboard: <path d="M3 15V9m4 6V4m4 11V7m4 8v-4" />,
  exam: <path d="M4 2.5h7l3 3v10H4zM11 2.5v3h3M6.5 9h5m-5 3h5" />,
  review: <path d="M9 2 3.5 4v4.5c0 3.5 2.5 6 5.5 7.5 3-1.5 5.5-4 5.5-7.5V4zM6.5 9l2 2 3.5-4" />,
  ticket: <path d="M2.5 5h13v2.5a1.5 1.5 0 0 0 0 3V13h-13v-2.5a1.5 1.5 0 0 0 0-3zM11 5v8" />,
  result: <path d="M5 2.5h8v5a4 4 0 0 1-8 0zM5 4H2.5c0 2.5 1 3.5 2.7 3.5M13 4h2.5c0 2.5-1 3.5-2.7 3.5M9 11.5v4m-3 0h6" />,
  pay: <path d="M2.5 4.5h13v9h-13zM2.5 7.5h13M5 11h3" />,
  message: <path d="M2.5 3.5h13v9h-8l-3 3v-3h-2zM5.5 7h7m-7 2.5h4" />,
  school: <path d="m9 3 7 3.5L9 10 2 6.5zM5 8.2v3.8c2.5 2 5.5 2 8 0V8.2" />,
  stat: <path d="M9 2.5v6.5h6.5A6.5 6.5 0 1 1 9 2.5Zm2.5 0a4.5 4.5 0 0 1 4 4h-4z" />,
  system: (
    <path d="M9 6.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Zm0-4.5v2.5m0 9V16m7-7h-2.5m-9 0H2m12-5-1.8 1.8M5.8 12.2 4 14m10 0-1.8-1.8M5.8 5.8 4 4" />
  ),
  flow: <path d="M3 3h4v4H3zM11 11h4v4h-4zM7 5h6v6M5 7v6h6" />,
  job: <path d="M9 2.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM9 5.5V9l2.5 2" />,
  desk: <path d="M3 3h5v6H3zm7 0h5v3h-5zm0 5h5v7h-5zm-7 3h5v4H3z" />,
  check: <path d="M4 3.5h10v12H4zM7 2h4v3H7zM6.5 10l2 2 3.5-4" />,
  unit: <path d="M3 15.5v-13h7v13m0-8h5v8M1.5 15.5h15M5.5 5.5h2m-2 3h2m-2 3h2m5-1h.5m-.5 2.5h.5" />,
  notice: <path d="M2.5 7v4h2.5l6 3.5v-11L5 7zm11 0c1 .5 1.5 1.2 1.5 2s-.5 1.5-1.5 2M5 11l1 4" />,
  people: (
    <path d="M6.5 3a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM2 14.5c0-3 2-4.5 4.5-4.5s4.5 1.5 4.5 4.5M11.5 3.2a2.4 2.4 0 0 1 0 4.6m1.5 2.5c2 .6 3 2 3 4.2" />
  ),
  other: <path d="M3 4.5h12M3 9h12M3 13.5h8" />,
}

const aliases: Readonly<Record<string, string>> = {
  examination: 'exam',
  examine: 'review',
  signup: 'review',
  review_group: 'review',
  ticket_group: 'ticket',
  result_group: 'result',
  send: 'message',
  notice: 'message',
  news: 'message',
  statistics: 'stat',
  monitor: 'dashboard',
  work: 'flow',
  resource: 'desk',
  develop: 'flow',
}

/** Signs a menu can be given. */
export const iconNames: readonly string[] = Object.keys(paths)

interface IconProps {
  readonly code: string
  readonly path: string | null
  /** The sign that an administrator chose. */
  readonly source?: string
}

/** A menu's sign: the chosen one, else by its code or the first part of its path. */
export const MenuIcon = ({ code, path, source = '' }: IconProps) => {
  const first = path?.split('/')[1] ?? ''
  const name = [source, code, aliases[code], first, aliases[first]].find(each => each !== undefined && each in paths) ?? 'other'
  return (
    <svg
      className="menu-icon"
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths[name]}
    </svg>
  )
}
