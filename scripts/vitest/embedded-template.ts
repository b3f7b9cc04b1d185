import { embeddedTemplate } from '../../packages/server/test/database/embedded-template.ts'

/** Builds the migrated embedded database before the workers start: else each would build its own. */
export default async function setup(): Promise<void> {
  await embeddedTemplate()
}
