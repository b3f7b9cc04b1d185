import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, unlessMissing } from '../../definitions/missing-files.ts'
import { PUBLICATION_DIR } from '../../definitions/publication-dir.ts'

/** The owner needs all three to read and replace files in a folder. */
const OWNER_MAY_ALL = 0o700

/**
 * Returns why the service could not read what this process would write into the data folder: it is
 * another folder, another user writes, or a folder is closed to the service. Otherwise undefined.
 * @param serviceFile the file that the service creates there at its first start
 * @param user the id of the user that writes; undefined on systems without one
 */
export const whyUnreadable = async (
  dataDir: string,
  serviceFile: string,
  user = process.geteuid?.(),
): Promise<string | undefined> => {
  const found = await stat(join(dataDir, serviceFile)).catch((error: unknown) => error)
  if (hasCode(found, 'EACCES'))
    return `Sem permissão para ler ${dataDir}. Rode o comando como o usuário do serviço de relatórios.`
  if (hasCode(found, 'ENOENT') || hasCode(found, 'ENOTDIR'))
    return `${dataDir} não é a pasta de dados de um serviço de relatórios: falta ${serviceFile}. Confira REPORTS_DATA_DIR e DATA_DIR; numa instalação nova, inicie o serviço antes.`
  if (found instanceof Error) throw found
  const { uid: owner, gid: group } = found as { uid: number; gid: number }
  if (user === undefined) return undefined
  if (user !== owner) {
    const [service, name] = [await namedUser(owner), await nameOf(owner)]
    // runuser takes names only.
    const as = name ? `runuser -u ${name}` : `setpriv --reuid ${owner} --regid ${group} --clear-groups`
    return `Este comando roda como ${await namedUser(user)}, e o serviço, como ${service}: ele não leria o que fosse gravado em ${dataDir}. Rode o comando como ${service}; root faz isso com: ${as} -- comando`
  }
  for (const folder of await foldersIn(dataDir)) {
    const { uid, mode } = await stat(folder)
    if (uid !== owner)
      return `${folder} pertence a ${await namedUser(uid)}, e o serviço roda como ${await namedUser(owner)}, que não leria o que fosse gravado ali. Corrija com: chown -R ${(await nameOf(owner)) ?? owner} ${folder}`
    if ((mode & OWNER_MAY_ALL) !== OWNER_MAY_ALL)
      return `${folder} tem o modo ${(mode & 0o777).toString(8)}, que não deixa o serviço ler e trocar os arquivos. Corrija com: chmod u+rwx ${folder}`
  }
  return undefined
}

/** Returns the folders in which a publication writes, as far as they exist. */
const foldersIn = async (dataDir: string): Promise<string[]> => {
  const found = [dataDir]
  for (const part of [PUBLICATION_DIR, 'datasets', 'workspaces']) {
    const path = join(dataDir, part)
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      // A folder that cannot be read is one of those to report.
      if (hasCode(error, 'EACCES')) return []
      return unlessMissing(error)
    })
    if (!entries) continue
    found.push(path)
    if (part === PUBLICATION_DIR) continue
    found.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name)))
  }
  return found
}

/** Returns how a sentence names the user: by its name, or by its number. */
const namedUser = async (user: number): Promise<string> => (await nameOf(user)) ?? `usuário ${user}`

/** Returns the user's name in /etc/passwd; undefined for a user who is only a number. */
const nameOf = async (user: number): Promise<string | undefined> => {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const line = users.split('\n').find((one) => one.split(':')[2] === String(user))
  return line?.split(':')[0] || undefined
}
