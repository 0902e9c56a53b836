import type { ReactNode } from 'react'

export interface IconProps {
  readonly size?: number
}

/** An outline icon of 24 × 24; decorative, the text beside it speaks. */
export const icon =
  (shape: ReactNode) =>
  ({ size = 22 }: IconProps) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {shape}
    </svg>
  )

export const HomeIcon = icon(<path d="M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z" />)
export const FormIcon = icon(<path d="M7 3h7l5 5v12a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v5h5M9 13h6M9 17h4" />)
export const PersonIcon = icon(<path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0" />)
export const BellIcon = icon(<path d="M6 16V11a6 6 0 1 1 12 0v5l1.5 2h-15zM10 21h4" />)
export const AlertIcon = icon(<path d="M12 3.5 21.5 20h-19zM12 10v4.5M12 17.4v.1" />)
export const CardIcon = icon(<path d="M3 6h18v12H3zM3 10h18M7 15h4" />)
export const TicketIcon = icon(<path d="M3 7h18v3.5a1.8 1.8 0 0 0 0 3.5V17.5H3V14a1.8 1.8 0 0 0 0-3.5zM14 7v10.5" />)
export const ChartIcon = icon(<path d="M5 20V11m7 9V4m7 16v-6" />)
export const SunIcon = icon(
  <path d="M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2m0 15v2M2.5 12h2m15 0h2M5.3 5.3l1.4 1.4m10.6 10.6 1.4 1.4m0-13.4-1.4 1.4M6.7 17.3l-1.4 1.4" />,
)
export const MoonIcon = icon(<path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z" />)
export const TypeIcon = icon(<path d="M3 19 8.5 5 14 19M5 14.5h7M15.5 19l3-8 3 8M16.5 16.5h4" />)
export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />)
export const ClockIcon = icon(<path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2" />)
export const InboxIcon = icon(<path d="M4 13 6.5 5h11L20 13v6H4zM4 13h5l1 2.5h4L15 13h5" />)
