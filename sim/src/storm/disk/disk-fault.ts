/** What a failed write says. The messages name the error number, as the operating system's do. */
export type DiskFaultCode = 'DISK_FAILED' | 'DISK_FULL';

const MESSAGES: Readonly<Record<DiskFaultCode, string>> = {
  DISK_FAILED: 'EIO: i/o error',
  DISK_FULL: 'ENOSPC: no space left on device',
};

export class DiskFault extends Error {
  readonly code: DiskFaultCode;

  constructor(code: DiskFaultCode) {
    super(MESSAGES[code]);
    this.name = 'DiskFault';
    this.code = code;
  }
}
