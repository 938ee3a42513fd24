/* tslint:disable */
/* eslint-disable */

/**
 * A kernel and what runs in it. Every run has a number that the page chose.
 */
export class Shell {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Stops a run as Ctrl-C does.
     */
    abort(run: number): void;
    /**
     * Creates a kernel with a volume at `/home/user`.
     */
    static createOn(volume: Volume, options: any, finished: Function): Promise<any>;
    /**
     * Creates a kernel in memory; rejects where its files cannot be written. `finished` is told of
     * the lines of terminals.
     */
    static create(options: any, finished: Function): Promise<any>;
    /**
     * Runs a program; resolves with its record once it has ended and its output is sent.
     */
    exec(run: number, source: string, request: any, send: Function): Promise<any>;
    /**
     * A request to the files; see `FsRequest` in `protocol.ts`.
     */
    fs(request: any): Promise<any>;
    /**
     * Gives a run input, or ends it with `undefined`; resolves once more can be taken.
     */
    input(run: number, bytes?: Uint8Array | number[] | null): Promise<any>;
    /**
     * Opens a terminal; resolves with its record once the session has ended.
     */
    open(run: number, columns: number, rows: number, send: Function): Promise<any>;
    /**
     * A terminal has another size.
     */
    resize(run: number, columns: number, rows: number): void;
    /**
     * The page has used `count` bytes of a run's output.
     */
    taken(run: number, count: number): void;
}

/**
 * An open volume; the shells of a worker that name it share it.
 */
export class Volume {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Opens a volume; a failure to is reported, never thrown: the volume is then in memory.
     */
    static open(name: string, tell: Function): Promise<any>;
    /**
     * Reports the present state again, for a shell that has just begun to listen.
     */
    report(): void;
}

/**
 * Calls `report(message)` once where the kernel panics; every later call into the module is undefined.
 */
export function onPanic(report: Function): void;

/**
 * Panics, so that tests can see what the page makes of it.
 */
export function panicForTest(): void;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_shell_free: (a: number, b: number) => void;
    readonly __wbg_volume_free: (a: number, b: number) => void;
    readonly onPanic: (a: any) => void;
    readonly panicForTest: () => void;
    readonly shell_abort: (a: number, b: number) => void;
    readonly shell_create: (a: any, b: any) => any;
    readonly shell_createOn: (a: number, b: any, c: any) => any;
    readonly shell_exec: (a: number, b: number, c: number, d: number, e: any, f: any) => any;
    readonly shell_fs: (a: number, b: any) => any;
    readonly shell_input: (a: number, b: number, c: number, d: number) => any;
    readonly shell_open: (a: number, b: number, c: number, d: number, e: any) => any;
    readonly shell_resize: (a: number, b: number, c: number, d: number) => void;
    readonly shell_taken: (a: number, b: number, c: number) => void;
    readonly volume_open: (a: number, b: number, c: any) => any;
    readonly volume_report: (a: number) => void;
    readonly wasm_bindgen__convert__closures_____invoke__h258f27892a631a91: (a: number, b: number, c: any, d: any) => void;
    readonly wasm_bindgen__convert__closures_____invoke__hf2013c6cf9b291ca: (a: number, b: number, c: any) => [number, number];
    readonly wasm_bindgen__convert__closures_____invoke__h7efac8d0101a2642: (a: number, b: number, c: any) => any;
    readonly wasm_bindgen__convert__closures_____invoke__h807320e70d95dc2f: (a: number, b: number) => void;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_destroy_closure: (a: number, b: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
