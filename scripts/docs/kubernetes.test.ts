import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readConfig, Settings } from '@bi-manager/reports/config'
import { Environment, loadConfig } from '@bi-manager/server/platform/config/config'
import * as apps from 'kubernetes-models/apps/v1'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

/*
 * Tests deploy/kubernetes against Kubernetes' published schemas, from the package
 * kubernetes-models: its validators check values and required fields, its types reject unknown
 * fields.
 */

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/kubernetes')
const kustomization = 'kustomization.yaml'

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another shape, which is what is tested
  [field: string]: any
}

const groups: Record<string, object> = {
  v1: core,
  'apps/v1': apps,
  'batch/v1': batch,
  'policy/v1': policy,
  'networking.k8s.io/v1': networking,
}

const files = globSync('*.yaml', { cwd: folder }).filter((file) => file !== kustomization)
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8'), { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join()}`)
    return { file, manifest: document.toJS() as Manifest }
  }),
)
const named = manifests.map(
  ({ file, manifest }) => [`${manifest.kind} ${manifest.metadata.name}`, file, manifest] as const,
)
const ofKind = (kind: string) => named.filter(([, , manifest]) => manifest.kind === kind)
const manifestOf = (kind: string, name: string): Manifest => {
  const found = manifests.find(({ manifest }) => manifest.kind === kind && manifest.metadata.name === name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found.manifest
}

/**
 * Validates a manifest.
 * @throws Error of the published schema
 */
const validate = (manifest: Manifest): void => {
  const models = groups[manifest.apiVersion] as Record<string, new (data: object) => { validate: () => void }>
  const Model = models?.[manifest.kind]
  if (!Model) throw new Error(`unknown: ${manifest.apiVersion} ${manifest.kind}`)
  new Model(manifest).validate()
}

describe('the Kubernetes manifests', () => {
  let scratch: string
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'bi-manager-kubernetes-'))
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'))
  })
  afterAll(() => rmSync(scratch, { recursive: true }))

  /** Returns the compiler's errors when the objects are assigned to their published types. */
  const unknownFields = (all: Manifest[]): string => {
    const lines = all.map(
      (manifest, n) =>
        `export const m${n}: import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind} = ${JSON.stringify(manifest)}`,
    )
    const file = join(scratch, 'manifests.ts')
    writeFileSync(file, `${lines.join('\n')}\n`)
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023']
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, file], {
      encoding: 'utf8',
      cwd: scratch,
    })
    return stdout
  }

  test.each(named)('%s of %s is valid against the published schema', (_name, _file, manifest) => {
    expect(() => validate(manifest)).not.toThrow()
  })

  test('the Kubernetes manifests have no unknown field', () => {
    expect(unknownFields(manifests.map(({ manifest }) => manifest))).toBe('')
  })

  test('the Kubernetes manifests fail the checks with a misspelt field, a wrong value or a missing one', () => {
    const changed = (change: (copy: Manifest) => unknown): Manifest => {
      const copy = structuredClone(manifestOf('Deployment', 'portal'))
      change(copy)
      return copy
    }
    const misspelt = changed(({ spec }) => {
      spec.template.spec.containers[0].securityContext.readOnlyRootFileSystem = true
    })
    expect(unknownFields([misspelt])).toMatch(/readOnlyRootFileSystem.* does not exist/)
    const wrong = changed(({ spec }) => Object.assign(spec, { replicas: 'two' }))
    expect(() => validate(wrong)).toThrow(/replicas must be integer/)
    const incomplete = changed(({ spec }) => Reflect.deleteProperty(spec, 'selector'))
    expect(() => validate(incomplete)).toThrow(/selector/)
  })

  test('the Kubernetes manifests are all in the kustomization, except the examples', () => {
    const { resources } = parse(readFileSync(join(folder, kustomization), 'utf8'))
    const examples = ['restore-reports.example.yaml', 'secrets.example.yaml']
    expect([...resources, ...examples].sort()).toEqual(files.map((file) => basename(file)).sort())
  })

  const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
  test.skipIf(!hasKubectl)('the Kubernetes manifests are built by kubectl kustomize (needs kubectl)', () => {
    const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
    const built = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
    expect(built.length).toBe(manifests.filter(({ file }) => !file.endsWith('.example.yaml')).length)
    for (const manifest of built) {
      expect(() => validate(manifest)).not.toThrow()
      if (manifest.kind !== 'Namespace') expect(manifest.metadata).toMatchObject({ namespace: 'bi-manager' })
    }
  })
})

describe.each([...ofKind('Deployment'), ...ofKind('Job')])('%s', (_name, _file, { metadata, spec }) => {
  const pod = spec.template.spec
  const [container] = pod.containers

  test('the workload meets the restricted Pod Security Standard, with a read-only root file system', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10001,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect([pod.hostNetwork, pod.hostPID, pod.hostIPC, pod.automountServiceAccountToken]).toEqual([
      undefined,
      undefined,
      undefined,
      false,
    ])
    expect(pod.volumes.filter((volume: object) => 'hostPath' in volume)).toEqual([])
  })

  test('the workload reaches only what its network policy lists', () => {
    const { labels } = spec.template.metadata
    const policy = manifestOf('NetworkPolicy', metadata.name).spec
    expect(labels).toMatchObject(policy.podSelector.matchLabels)
    expect(policy.policyTypes).toEqual(['Ingress', 'Egress'])
  })
})

describe.each(ofKind('Deployment'))('%s', (_name, _file, { metadata, spec }) => {
  const [container] = spec.template.spec.containers

  test('the workload has its settings and its service', () => {
    const labels = spec.template.metadata.labels
    expect(labels).toMatchObject(spec.selector.matchLabels)
    expect(container.envFrom).toEqual([
      { configMapRef: { name: manifestOf('ConfigMap', metadata.name).metadata.name } },
    ])
    const service = manifestOf('Service', metadata.name)
    expect(labels).toMatchObject(service.spec.selector)
    const ports = container.ports.map(({ name }: { name: string }) => name)
    for (const { targetPort } of service.spec.ports) expect(ports).toContain(targetPort)
  })

  test('the workload has liveness and readiness probes at the served paths', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
  })
})

describe('the job that restores the report service', () => {
  const { containers, volumes, securityContext } = manifestOf('Job', 'restore-reports').spec.template.spec
  const service = manifestOf('Deployment', 'reports').spec.template.spec

  test("the job that restores the report service writes into the service's volume as its user, with options that the command knows", () => {
    const [, command, , ...args] = containers[0].args
    const usage = readFileSync(join(root, 'scripts/restore.ts'), 'utf8')
    const options = args.filter((arg: string) => arg.startsWith('--'))
    expect([command, options]).toEqual(['restore', ['--identity', '--reports', '--replace']])
    for (const option of options) expect(usage).toContain(`[${option}`.replace('[--reports', '--reports'))
    const claimOf = ({ volumes: all }: { volumes: object[] }) =>
      all.flatMap((volume) => ('persistentVolumeClaim' in volume ? [volume.persistentVolumeClaim] : []))
    expect(claimOf({ volumes })).toEqual(claimOf(service))
    expect(securityContext).toEqual(service.securityContext)
    const mounted = containers[0].volumeMounts.find(({ name }: { name: string }) => name === 'reports')
    expect(args[args.indexOf('--reports') + 1]).toBe(mounted.mountPath)
  })
})

describe('the Kubernetes settings', () => {
  const dataOf = (name: string): Record<string, string> => manifestOf('ConfigMap', name).data

  test('the Kubernetes settings of the portal are known and valid, and drain longer than the readiness probe needs', () => {
    const data = dataOf('portal')
    const names = Object.keys(data).map((name) => name.replace(/_FILE$/, ''))
    expect(names.filter((name) => !(name in Environment.shape))).toEqual([])
    const { DATABASE_URL_FILE, APP_SECRET_FILE, ...plain } = data
    expect([DATABASE_URL_FILE, APP_SECRET_FILE]).toEqual(['/secrets/database-url', '/secrets/app-secret'])
    const { drainSeconds, bi } = loadConfig(plain)
    expect(bi.addresses.local.api).toBe('http://reports:3001')
    const probe = manifestOf('Deployment', 'portal').spec.template.spec.containers[0].readinessProbe
    expect(drainSeconds).toBeGreaterThan(probe.periodSeconds * probe.failureThreshold + probe.timeoutSeconds)
  })

  test('the Kubernetes settings are created by the commands of the manual, whose arguments contain no secret', () => {
    const manual = readFileSync(join(root, 'docs/manual/instalacao.md'), 'utf8')
    const commands =
      /kubectl apply -f deploy\/kubernetes\/namespace\.yaml\n([\s\S]*?)```/.exec(manual)?.[1] ?? ''
    expect(commands).not.toContain('--from-literal')
    const machine = mkdtempSync(join(tmpdir(), 'bi-manager-secrets-'))
    const kubectl =
      '#!/bin/sh\n[ "$4" != secret ] || { stat -c %a segredos/*; wc -l segredos/* | tail -n 1; cat segredos/*; }\n'
    writeFileSync(join(machine, 'kubectl'), kubectl, { mode: 0o755 })
    const env = { PATH: `${machine}:${process.env.PATH}` }
    const said = execFileSync('sh', ['-ec', commands], { cwd: machine, env, encoding: 'utf8' })
    expect(said).toMatch(
      /^600\n600\n +0 total\n[\da-f]{64}postgres:\/\/bi_portal:<senha>@postgres\.empresa\.com\.br\/bi_manager$/,
    )
    expect(existsSync(join(machine, 'segredos'))).toBe(false)
    rmSync(machine, { recursive: true })
  })

  test('the Kubernetes settings leave the start of a portal half an hour for migrations', () => {
    const { startupProbe } = manifestOf('Deployment', 'portal').spec.template.spec.containers[0]
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(1_800)
  })

  test('the Kubernetes settings of the report service are known and valid', () => {
    const data = dataOf('reports')
    expect(Object.keys(data).filter((name) => !(name in Settings.shape))).toEqual([])
    expect(readConfig(data).reportsUrl).toBe('https://relatorios.empresa.com.br')
  })

  test('the Kubernetes settings keep one portal running by the disruption budget, and allow draining a node', () => {
    const { spec } = manifestOf('PodDisruptionBudget', 'portal')
    const portal = manifestOf('Deployment', 'portal').spec
    expect(spec.selector.matchLabels).toEqual(portal.selector.matchLabels)
    expect(spec.minAvailable).toBeGreaterThanOrEqual(1)
    expect(portal.replicas).toBeGreaterThan(spec.minAvailable)
  })
})
