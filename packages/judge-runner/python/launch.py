"""What every launcher in a box does before anything else: close, restrict, narrow. Standard library only."""
import _sitebuiltins
import binascii
import builtins
import ctypes
import os
import struct
import sys

REQUESTS, ANSWERS = 3, 4
PR_SET_DUMPABLE, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 4, 22, 2
SECCOMP_SET_MODE_FILTER, NEW_LISTENER = 1, 8
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446  # The same on every architecture.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1, 2, 4, 8, 1 << 14, 1 << 15


#: Packages that the suite declares, where it declares any.
PACKAGES = '/packages'


class Filter(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('program', ctypes.c_char_p)]


def close_inherited():
    """Whoever started the judge may have left descriptors open, and one of them would be a way out."""
    for name in os.listdir('/proc/self/fd'):
        if int(name) > ANSWERS:
            try:
                os.close(int(name))
            except OSError:
                pass  # The one that listed the folder.


def confine():
    """AppArmor, where the kernel has it and the profile is loaded."""
    try:
        with open('/proc/self/attr/apparmor/current', 'wb', buffering=0) as label:
            label.write(b'changeprofile bonafide-judge-artifact')
    except OSError:
        pass


def restrict():
    """Landlock, where the kernel has it: nothing to write to but the work folders, no TCP. Returns its version or 0."""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        return 0
    handled = (1 << 13) - 1
    for since, right in ((2, 1 << 13), (3, TRUNCATE), (5, IOCTL_DEV)):
        if version >= since:
            handled |= right
    fields = [handled] + ([3] if version >= 4 else []) + ([3] if version >= 6 else [])
    attributes = struct.pack('=%dQ' % len(fields), *fields)
    ruleset = libc.syscall(LANDLOCK_CREATE, attributes, len(attributes), 0)
    if ruleset < 0:
        return 0
    try:
        read = EXECUTE | READ_FILE | READ_DIR
        device = (READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | IOCTL_DEV) & handled
        for path, rights in (('/', READ_DIR), ('/usr', read), ('/runtime', read), ('/etc', READ_FILE),
                             ('/proc', READ_FILE), ('/judge', READ_FILE), ('/artifact', READ_FILE),
                             ('/suite', READ_FILE), ('/lib64', read), ('/lib', read), ('/archive', READ_FILE),
                             ('/packages', read), ('/node_modules', read),
                             ('/dev', device), ('/dev/shm', handled), ('/box', handled)):
            try:
                folder = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_DIRECTORY)
            except OSError:
                continue  # Not in this box.
            try:
                rule = struct.pack('=Qi', rights, folder)
                if libc.syscall(LANDLOCK_ADD, ruleset, 1, rule, 0) != 0:
                    return 0
            finally:
                os.close(folder)
        return version if libc.syscall(LANDLOCK_RESTRICT, ruleset, 0) == 0 else 0
    finally:
        os.close(ruleset)


def narrow(program, notify):
    """Loads a second seccomp filter; it can only ever tighten the one that is there. Returns its listener or None."""
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = Filter(len(program) // 8, program)
    if notify is None:
        if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(wanted), 0, 0) != 0:
            raise OSError(ctypes.get_errno(), 'prctl(PR_SET_SECCOMP)')
        return None
    listener = libc.syscall(notify, SECCOMP_SET_MODE_FILTER, NEW_LISTENER, ctypes.byref(wanted))
    if listener < 0:
        raise OSError(ctypes.get_errno(), 'seccomp')
    return listener


def stay_alone():
    """Keeps the programs that this one starts from the judge's lines, and from its memory."""
    for descriptor in (REQUESTS, ANSWERS):
        os.set_inheritable(descriptor, False)
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def calm_platform(platform):
    platform._Processor.from_subprocess = staticmethod(lambda: '')


def calm_uuid(uuid):
    uuid._generate_time_safe = None
    uuid._GETTERS = uuid._OS_GETTERS = []


class Quiet:
    """Two modules of the library mean no harm with what would be a violation: `platform.platform()` asks the program
    uname for the processor's name, `uuid.uuid1()` a socket for a network card's number. They get the answers that they get
    where there is neither."""

    calms, calmed = {'platform': calm_platform, 'uuid': calm_uuid}, {}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        calm = cls.calms.pop(name, None)
        if calm is None:
            return None
        __import__(name)
        module = sys.modules[name]
        calm(module)
        cls.calmed[name] = sys.modules.pop(name)
        return type(module.__spec__)(name, cls)

    @classmethod
    def create_module(cls, spec):
        return cls.calmed.pop(spec.name)

    @staticmethod
    def exec_module(module):
        pass


def add_exits():
    """Adds `exit` and `quit`, which the module `site` gives every program and which are missing without it."""
    for name in ('exit', 'quit'):
        setattr(builtins, name, _sitebuiltins.Quitter(name, 'Ctrl-D (i.e. EOF)'))


def forget_own(folder):
    """Lets modules of the suite or the artifact have the names of ours, which are in this folder."""
    for name, module in list(sys.modules.items()):
        if name != '__main__' and (getattr(module, '__file__', None) or '').startswith(folder + '/'):
            del sys.modules[name]


def launch(loads, requests, answer, is_alone=False):
    """The first lines between a box and its judge. After them nothing is left to narrow.

    Where `is_alone`, programs that this one starts have no part in it.
    """
    sys.meta_path.insert(0, Quiet)
    add_exits()
    close_inherited()
    confine()
    version = restrict()
    first = loads(requests.readline())
    program = binascii.a2b_base64(first['narrow'])
    facts = None
    if first['look'] is not None:
        from inside import look
        facts = look(lambda: narrow(program, None), **first['look'])
        del sys.modules['inside']
    # A supervisor reads its memory: where the artifact runs beside the tests.
    if is_alone and first['notify'] is None:
        stay_alone()
    listener = narrow(program, first['notify'])
    answer({'narrowed': True, 'listener': listener, 'landlock': version, 'inside': facts})
    if listener is not None:
        # The supervisor takes its copy in the meantime; ours must be gone before any other code runs.
        requests.readline()
        os.close(listener)
        answer({'watched': True})
