import { defineConfig } from 'vitest/config'

// Small tests: no input or output, beside the file they prove. Medium tests live in server/test and have a config of their own.
export default defineConfig({
  test: {
    include: [
      'contract/src/**/*.test.ts',
      'server/src/**/*.test.ts',
      'server/seed/**/*.test.ts',
      'tools/**/*.test.ts',
      'web/src/**/*.test.ts',
    ],
    environment: 'node',
    // Style sheets are empty in tests; these are compared with the program that works it out.
    css: { include: [/theme\/(shell-)?tokens\.css/] },
    testTimeout: 20_000,
  },
})
