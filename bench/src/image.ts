import {
  buildImage,
  ensureBaseImage,
  imageSize,
  openEngine,
  targets,
  whyNoContainers,
} from '../../scripts/machines/containers.ts'

/** Builds every image of the Dockerfile with podman and prints its size, uncompressed. */
export const benchImage = async (): Promise<void> => {
  const reason = whyNoContainers()
  if (reason) {
    console.log(`\nImages: skipped, ${reason}.`)
    return
  }
  const engine = await openEngine()
  try {
    const base = await ensureBaseImage(engine)
    console.log(`\nImages: MB, uncompressed, layers of the base image included. Base image: ${base}.`)
    for (const target of targets) {
      const started = performance.now()
      await buildImage(engine, target)
      const seconds = Math.round((performance.now() - started) / 1000)
      console.log(`${target.padEnd(16)} ${await imageSize(engine, target)} MB (built in ${seconds} s)`)
    }
  } finally {
    await engine.stop()
  }
}
