const restarts: (() => void)[] = []

/** 1, 2, 3 …, anew in every test file: what a file sees does not depend on which files ran before it in the same process. */
export const createSerial = (): (() => number) => {
  let last = 0
  restarts.push(() => {
    last = 0
  })
  return () => {
    last += 1
    return last
  }
}

export const restartSerials = (): void => {
  for (const restart of restarts) restart()
}
