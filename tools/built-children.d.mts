import type { Plugin } from 'vite'

export const builtChildren: () => Promise<Plugin>
