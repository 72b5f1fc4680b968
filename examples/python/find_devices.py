"""Lists every OpenCL platform and device of this machine, and what they offer."""

import pyopencl as cl

import gallery


def kind(device):
    return next((name for name in ("CPU", "GPU", "ACCELERATOR") if device.type & getattr(cl.device_type, name)), "custom")


def describe(device):
    print(f"  {device.name}")
    print(f"    type             {kind(device)}")
    print(f"    version          {device.version}")
    print(f"    compute units    {device.max_compute_units}")
    print(f"    work-group size  at most {device.max_work_group_size}")
    print(f"    global memory    {device.global_mem_size >> 20} MiB")
    print(f"    local memory     {device.local_mem_size >> 10} KiB")
    print(f"    double precision {'yes' if device.double_fp_config else 'no'}")


def main():
    options = gallery.parser(__doc__).parse_args()
    for platform in cl.get_platforms():
        print(f"{platform.name}, {platform.version}")
        for device in platform.get_devices():
            describe(device)

    # What the specification promises of every device of the full profile.
    device = gallery.choose_device(options)
    assert device.max_compute_units >= 1
    assert device.local_mem_size >= 32 << 10
    assert device.max_parameter_size >= 1024
    assert device.max_mem_alloc_size >= 32 << 20
    print(f"{device.name} meets the specification's minimum")


if __name__ == "__main__":
    main()
