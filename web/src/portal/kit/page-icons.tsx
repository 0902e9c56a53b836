import { icon } from './icons.tsx'

/** Icons that the first page does not show. */
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />)
export const InfoIcon = icon(<path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8v.1" />)
export const BackIcon = icon(<path d="m15 5-7 7 7 7" />)
export const CameraIcon = icon(<path d="M4 8h4l1.5-3h5L16 8h4v11H4zM12 17a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z" />)
export const FileIcon = icon(<path d="M7 3h7l5 5v12a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v5h5" />)
export const DownloadIcon = icon(<path d="M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14" />)
export const OfflineIcon = icon(<path d="m4 4 16 16M8.5 14.5a5 5 0 0 1 6.2-.6M5 11a10 10 0 0 1 4-2.4m4-.5a10 10 0 0 1 6 2.9M12 19v.1" />)
export const SearchIcon = icon(<path d="M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5" />)
export const TrashIcon = icon(<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13" />)
export const NewsIcon = icon(<path d="M4 5h13v14H6a2 2 0 0 1-2-2zM17 9h3v8a2 2 0 0 1-2 2h-1M7.5 9h6M7.5 12.5h6M7.5 16h4" />)
export const SwapIcon = icon(<path d="M4 8h14m0 0-3.5-3.5M18 8l-3.5 3.5M20 16H6m0 0 3.5-3.5M6 16l3.5 3.5" />)
export const ForwardIcon = icon(<path d="m9 5 7 7-7 7" />)
export const HelpIcon = icon(
  <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1 1-1.1 1.8M12 16.6v.1" />,
)
