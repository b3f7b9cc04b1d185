import type { BackupPlace } from '../../../platform/config/backup-settings.ts'
import type { BackupTarget } from './backup-target.ts'
import { createFolderTarget } from './folder-target.ts'
import { createS3Target } from './s3-target.ts'

export const openTarget = (place: BackupPlace): BackupTarget =>
  place.kind === 'folder' ? createFolderTarget(place.folder) : createS3Target(place)
