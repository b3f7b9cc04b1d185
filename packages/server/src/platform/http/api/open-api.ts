import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { answerSlot } from '../limits/answer-slots.ts'

/** Describes the API from its validation schemas. Register it before the routes. */
export const openApi = fp(async (app: FastifyInstance, { version }: { version: string }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'BI Manager', description: 'API do portal BI Manager.', version },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
})

/** Serves `/api/openapi.json`, and Swagger UI at `/api/docs`. */
export const openApiPages = async (app: FastifyInstance) => {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, permission: 'public' }
    // The description of all calls, also as Swagger UI serves it.
    if (/(json|yaml)$/.test(route.url)) route.onRequest = answerSlot('file')
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: '/api',
    staticCSP: docsPolicy,
    uiConfig: { docExpansion: 'list', tryItOutEnabled: false },
    theme: { title: 'BI Manager – API' },
  })
}

/** The hash is of the one style element that this version of Swagger UI adds. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
