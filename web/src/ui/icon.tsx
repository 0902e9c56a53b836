export const Icon = ({ d, size = 16 }: { readonly d: string; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={d} />
  </svg>
)

/** Strokes on a 16 by 16 ground. */
export const iconPaths = {
  fold: 'M2 3.5h12M6 8h8M2 12.5h12M4 6 2 8l2 2',
  unfold: 'M2 3.5h12M2 8h8M2 12.5h12M12 6l2 2-2 2',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8 1v1.5m0 11V15m7-7h-1.5m-11 0H1m12-5-1 1M4 12l-1 1m10 0-1-1M4 4 3 3',
  moon: 'M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3Z',
  down: 'm4 6 4 4 4-4',
  close: 'm4 4 8 8m0-8-8 8',
  menu: 'M2 4h12M2 8h12M2 12h12',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 11.7 4M12 1.5V4.2H9.3',
  columns: 'M2 3h12v10H2zM6 3v10m4-10v10',
  density: 'M2 3h12M2 6.3h12M2 9.7h12M2 13h12',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3 14 14',
  up: 'm4 10 4-4 4 4',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z',
  eyeOff:
    'M2 2l12 12M6.2 3.8A6.8 6.8 0 0 1 8 3.5c4 0 6.5 4.5 6.5 4.5a11 11 0 0 1-2 2.5M4 5a11 11 0 0 0-2.5 3S4 12.5 8 12.5c1 0 1.9-.3 2.7-.7',
  expand: 'M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9',
  shrink: 'M13.5 6.5h-4v-4M9.5 6.5 14 2M2.5 9.5h4v4M6.5 9.5 2 14',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  upload: 'M8 11V2.5m-3.5 3.5L8 2.5 11.5 6M2.5 10.5v3h11v-3',
  print: 'M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z',
  download: 'M8 2.5V11m-3.5-3.5L8 11l3.5-3.5M2.5 10.5v3h11v-3',
} as const

/** What opens and shuts a branch of an antd tree; the kit's own mark has an English name. */
export const treeSwitcher = ({ expanded }: { readonly expanded?: boolean }) => (
  <Icon d={expanded === true ? iconPaths.down : iconPaths.right} size={12} />
)
