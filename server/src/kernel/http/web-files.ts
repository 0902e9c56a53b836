import { readdir } from 'node:fs/promises'
import serveStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** `assets/name-Abc123_4.js`, as the build names what it makes. */
const hashedFile = /[\\/]assets[\\/][^\\/]+-[\w-]{7}\.\w+(?:\.(?:br|gz))?$/

const methods: ('GET' | 'HEAD')[] = ['HEAD', 'GET']

/** Whoever goes away in the middle of a file has had no error. */
const errorHandler = function (this: FastifyInstance, error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') request.raw.destroy()
  else this.errorHandler(error, request, reply)
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).filter(entry => entry.isFile()).map(entry => entry.name)

/**
 * Serves the files of the built web, as they were when the program started, and packed where the build has packed them. The six hundred files of
 * `assets` share one route: a route for each of them and of their packed forms took half a second of a start and 25 MB.
 * @param webRoot - its folder
 */
export const serveWebFiles = async (app: FastifyInstance, webRoot: string): Promise<void> => {
  await app.register(serveStatic, {
    root: webRoot,
    serve: false,
    index: false,
    preCompressed: true,
    // Files of the build have their content in their name; the worker, the manifest and the icons keep their names.
    cacheControl: false,
    setHeaders: (response, path) =>
      void response.header('Cache-Control', hashedFile.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'),
  })
  for (const name of await namesIn(webRoot))
    app.route({ method: methods, url: `/${name}`, errorHandler, handler: (_request, reply) => reply.sendFile(`/${name}`) })
  const assets = new Set(await namesIn(`${webRoot}/assets`))
  app.route<{ Params: { name: string } }>({
    method: methods,
    url: '/assets/:name',
    config: { exists: path => assets.has(path.slice('/assets/'.length)) },
    errorHandler,
    handler: ({ params: { name } }, reply) => (assets.has(name) ? reply.sendFile(`/assets/${name}`) : reply.callNotFound()),
  })
}
