import { resolvePage } from '../console/pages.ts'
import type { Label } from '../kernel/i18n/index.ts'

/** What the screen at a path is called; null when no screen answers to it. */
export const titleAt = async (path: string): Promise<Label | null> => (await resolvePage(path))?.title ?? null
