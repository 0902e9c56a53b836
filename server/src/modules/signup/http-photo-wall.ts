import { markPhotos, photoWall, returnPhotos } from '#contract/signup/photo-wall.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { readPhotoWall, returnMarkedPhotos, savePhotoMarks } from './commands/photo-wall.ts'
import type { SignupContext } from './deps.ts'

export const photoWallHandlers = (deps: SignupContext): Handler[] => [
  handle(photoWall, ({ ctx, db, input }) => readPhotoWall(deps, db, ctx, input)),
  handle(markPhotos, ({ ctx, db, input }) => savePhotoMarks(db, ctx, input)),
  handle(returnPhotos, ({ ctx, input }) => returnMarkedPhotos(deps, ctx, input)),
]
